// One button per point over the picture of the board, one of them in the tab order, arrow keys between
// them. A stone that the picture does not have yet is drawn by its button.

const points = document.getElementById("points");
const STONES = { x: "black", o: "white" };
let buttons = new Map();
let size = 0;
let cursor = null;

const named = (x, y) => String.fromCharCode(97 + x) + (y + 1);

// Shows the points: `stone(name)` is x, o or a point on the board, `drawn(name)` the same in the picture,
// and `mark(name)` says if the point is open, its letter and what else there is to say.
export function setPoints(side, { stone, drawn, mark, color }) {
  if (side !== size) make(side);
  for (const [name, button] of buttons) {
    const { open, letter = "", picked, barred, words } = mark(name);
    const here = STONES[stone(name)];
    const late = here && stone(name) !== drawn(name);
    button.setAttribute("aria-disabled", String(!open));
    button.textContent = letter;
    button.className = ["point", picked && "picked", barred && "barred", late && `late ${here}`].filter(Boolean).join(" ");
    button.setAttribute("aria-label", [name, here && `${here} stone`, words].filter(Boolean).join(", "));
  }
  points.dataset.color = color ?? "";
}

function make(side) {
  size = side;
  const units = 64 + 32 * (size - 1);
  buttons = new Map();
  for (let y = size - 1; y >= 0; y -= 1) {
    for (let x = 0; x < size; x += 1) {
      const button = document.createElement("button");
      button.type = "button";
      button.tabIndex = -1;
      button.dataset.name = named(x, y);
      button.style.left = `${((24 + 32 * x) / units) * 100}%`;
      button.style.top = `${((8 + 32 * (size - 1 - y)) / units) * 100}%`;
      button.style.width = button.style.height = `${(32 / units) * 100}%`;
      buttons.set(button.dataset.name, button);
    }
  }
  points.replaceChildren(...buttons.values());
  setCursor(named(size >> 1, size >> 1));
}

function setCursor(name) {
  if (cursor) buttons.get(cursor)?.setAttribute("tabindex", "-1");
  cursor = name;
  buttons.get(name).tabIndex = 0;
}

// Calls `act` with the name of each point that is pressed, and if it is open.
export function onPoint(act) {
  points.addEventListener("click", (event) => {
    const button = event.target.closest(".point");
    if (!button) return;
    setCursor(button.dataset.name);
    act(button.dataset.name, button.getAttribute("aria-disabled") === "false");
  });
}

points.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
  const button = event.target.closest(".point");
  if (!step || !button) return;
  event.preventDefault();
  const within = (n) => Math.max(0, Math.min(size - 1, n));
  const { name } = button.dataset;
  const x = within(name.charCodeAt(0) - 97 + step[0]);
  const y = within(Number(name.slice(1)) - 1 + step[1]);
  setCursor(named(x, y));
  buttons.get(named(x, y)).focus();
});
