// Buttons on the points of a board, one of them in the tab order, with arrow keys between them.

const FIRST = { x: 24, y: 8 };
const CELL = 32;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const STONES = { x: "black stone", o: "white stone" };
const MARKS = { 3: "double-three", 4: "double-four", 6: "overline", 5: "five" };

const name = (x, y) => String.fromCharCode(97 + x) + (y + 1);

export class Board {
  // `choose` is called with the point of a stone, `ask` with one that a finger must confirm.
  constructor(root, size, choose, ask) {
    Object.assign(this, { root, size, buttons: new Map(), cursor: null, picked: null, coarse: matchMedia("(pointer: coarse)") });
    // Arrow keys move over the board for those who came by keyboard; for others they step through the moves.
    this.byKeyboard = false;
    document.addEventListener("keydown", ({ key }) => { this.byKeyboard ||= key === "Tab"; });
    document.addEventListener("pointerdown", () => { this.byKeyboard = false; });
    const side = 2 * CELL + CELL * (size - 1);
    for (let y = size - 1; y >= 0; y -= 1) {
      for (let x = 0; x < size; x += 1) {
        const button = document.createElement("button");
        Object.assign(button, { type: "button", className: "spot", tabIndex: -1 });
        button.style.left = `${((FIRST.x + CELL * x) / side) * 100}%`;
        button.style.top = `${((FIRST.y + CELL * (size - 1 - y)) / side) * 100}%`;
        button.style.width = button.style.height = `${(CELL / side) * 100}%`;
        Object.assign(button.dataset, { x, y, name: name(x, y) });
        this.buttons.set(name(x, y), button);
      }
    }
    root.replaceChildren(...this.buttons.values());
    this.point(name(size >> 1, size >> 1));
    root.addEventListener("click", ({ target }) => {
      const button = target.closest(".spot");
      if (!button || button.getAttribute("aria-disabled") === "true") return;
      const chosen = button.dataset.name;
      this.point(chosen);
      // A finger covers what it touches: the second tap places the stone.
      if (this.coarse.matches && this.picked !== chosen) {
        this.pick(chosen);
        ask(chosen);
      } else choose(chosen);
    });
    root.addEventListener("keydown", (event) => {
      const step = KEYS[event.key];
      const button = event.target.closest(".spot");
      if (!step || !button || !this.byKeyboard) return;
      event.preventDefault();
      event.stopPropagation();
      const within = (n) => Math.max(0, Math.min(size - 1, n));
      this.point(name(within(Number(button.dataset.x) + step[0]), within(Number(button.dataset.y) + step[1])));
      this.buttons.get(this.cursor).focus();
    });
  }

  // Moves the place in the tab order.
  point(to) {
    this.buttons.get(this.cursor)?.setAttribute("tabindex", "-1");
    this.cursor = to;
    this.buttons.get(to).setAttribute("tabindex", "0");
  }

  pick(chosen) {
    this.buttons.get(this.picked)?.classList.remove("picked");
    this.picked = chosen;
    this.buttons.get(chosen)?.classList.add("picked");
  }

  // Tells every button what its point is: `classes` is the board from a1, rank by rank, with the marks of the
  // colour `judged`.
  set(classes, color, isOver, judged) {
    this.pick(null);
    this.root.dataset.color = color;
    for (const [at, button] of this.buttons) {
      const found = classes[Number(button.dataset.y) * this.size + Number(button.dataset.x)];
      const what = STONES[found] ?? (MARKS[found] && `${MARKS[found]} for ${judged}`);
      button.setAttribute("aria-label", what ? `${at}, ${what}` : at);
      button.setAttribute("aria-disabled", String(isOver || found in STONES));
    }
  }
}
