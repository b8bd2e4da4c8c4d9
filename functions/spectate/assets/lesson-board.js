// A board to click: a button on every point of a diagram, the referee's answer, and its proof drawn
// on the board. The referee is POST /rules/check.

const SVG = "http://www.w3.org/2000/svg";
const name = (x, y) => String.fromCharCode(97 + x) + (y + 1);
const at = (board, x, y) => board[15 * y + x];
const centre = (point) => {
  const [x, y] = [point.charCodeAt(0) - 97, Number(point.slice(1)) - 1];
  return [40 + 32 * x, 24 + 32 * (14 - y)];
};

export class Board {
  // `frame` holds a diagram; `pick` is called with the name of an empty point that is clicked.
  constructor(frame, pick) {
    this.svg = frame.querySelector("svg");
    this.stones = frame.dataset.board;
    this.part = frame.dataset.part.split(" ").map(Number);
    this.buttons = new Map();
    this.answer = document.createElementNS(SVG, "g");
    this.svg.append(this.answer);
    this.spots = document.createElement("div");
    this.spots.className = "spots";
    this.spots.setAttribute("role", "group");
    this.spots.setAttribute("aria-label", "The points of the board");
    frame.append(this.spots);
    this.makeButtons();
    this.spots.addEventListener("click", (event) => {
      const point = event.target.closest("button")?.dataset.point;
      if (!point) return;
      this.setCursor(point);
      if (this.isEmpty(point)) pick(point);
    });
    this.spots.addEventListener("keydown", (event) => this.step(event));
  }

  makeButtons() {
    const [left, right, low, high] = this.part;
    const { x, y, width, height } = this.svg.viewBox.baseVal;
    for (let rank = high; rank >= low; rank -= 1) {
      for (let column = left; column <= right; column += 1) {
        const point = name(column, rank);
        const button = document.createElement("button");
        const [cx, cy] = centre(point);
        Object.assign(button, { type: "button", tabIndex: -1 });
        Object.assign(button.dataset, { point, x: column, y: rank });
        button.style.left = `${(100 * (cx - 16 - x)) / width}%`;
        button.style.top = `${(100 * (cy - 16 - y)) / height}%`;
        button.style.width = `${3200 / width}%`;
        button.style.height = `${3200 / height}%`;
        this.buttons.set(point, button);
      }
    }
    this.spots.append(...this.buttons.values());
    this.label();
    this.setCursor(name((left + right) >> 1, (low + high) >> 1));
  }

  label() {
    for (const [point, button] of this.buttons) {
      const stone = { x: ", black stone", o: ", white stone" }[this.stone(point)] ?? "";
      button.setAttribute("aria-label", point + stone);
    }
  }

  stone(point) {
    return at(this.stones, point.charCodeAt(0) - 97, Number(point.slice(1)) - 1);
  }

  isEmpty(point) {
    return this.stone(point) === ".";
  }

  setCursor(point) {
    this.buttons.get(this.cursor)?.setAttribute("tabindex", "-1");
    this.cursor = point;
    this.buttons.get(point).setAttribute("tabindex", "0");
  }

  step(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const from = event.target.closest("button");
    if (!step || !from) return;
    event.preventDefault();
    const point = name(Number(from.dataset.x) + step[0], Number(from.dataset.y) + step[1]);
    if (!this.buttons.has(point)) return;
    this.setCursor(point);
    this.buttons.get(point).focus();
  }

  // Puts a stone on the board for good.
  put(point, letter, number) {
    const [x, y] = [point.charCodeAt(0) - 97, Number(point.slice(1)) - 1];
    const index = 15 * y + x;
    this.stones = this.stones.slice(0, index) + letter + this.stones.slice(index + 1);
    this.draw(this.svg.insertBefore(document.createElementNS(SVG, "g"), this.answer), point, letter, number);
    this.label();
  }

  draw(group, point, letter, text) {
    const [cx, cy] = centre(point);
    const color = letter === "x" ? "black" : "white";
    group.classList.add("put");
    group.append(shape("circle", { class: `stone-${color}`, cx, cy, r: 13.5 }));
    if (text) {
      const label = shape("text", { x: cx, y: cy + 4.7, class: `on-${color}` });
      label.textContent = text;
      group.append(label);
    }
  }

  // Shows a stone as a question, and the proof of the verdict on it.
  ask(point, letter, explanation) {
    this.clear();
    this.draw(this.answer, point, letter, "");
    if (!explanation) return;
    for (const { stones } of [...explanation.rows, ...(explanation.rows.length ? [] : explanation.fours)]) this.line("proof", stones);
    if (explanation.rows.length) return;
    for (const { counts, straight_fours: fours } of explanation.threes) {
      const four = fours.find(({ allowed }) => allowed === counts);
      if (four) this.line(counts ? "proof" : "void", four.stones);
    }
    for (const { five_at: points } of explanation.fours) points.forEach((key) => this.key(key.name));
  }

  line(className, stones) {
    const [x1, y1] = centre(stones[0].name);
    const [x2, y2] = centre(stones.at(-1).name);
    this.answer.append(shape("path", { class: className, d: `M${x1} ${y1}L${x2} ${y2}` }));
  }

  key(point) {
    const [cx, cy] = centre(point);
    this.answer.append(shape("circle", { class: "key", cx, cy, r: 7 }));
  }

  clear() {
    this.answer.replaceChildren();
  }
}

function shape(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// The referee's answer for a board, the colour to move, and perhaps a point.
export async function check(ruleset, board, to_move, point) {
  const body = JSON.stringify({ ruleset, position: { board, to_move }, ...(point && { point }) });
  const reply = await fetch("/rules/check", { method: "POST", headers: { "content-type": "application/json" }, body })
    .catch(() => { throw new Error("the arena cannot be reached"); });
  const view = await reply.json();
  if (!reply.ok) throw new Error(view.detail ?? `server error (${reply.status})`);
  return view;
}

const list = (points) => points.map((point) => point.name).join(" ");
const FOULS = { overline: "an overline", double_four: "a double-four", double_three: "a double-three", five: "a five" };

// The proof in sentences.
export function proof({ rows, fours, threes }) {
  if (rows.length) return rows.map((row) => `${list(row.stones)} are ${row.stones.length} in a row.`);
  const told = fours.map((four) =>
    `${list(four.stones)} is a four: ${four.five_at.map((point) => point.name).join(" or ")} makes five.`);
  for (const three of threes) {
    const four = three.straight_fours.find(({ allowed }) => allowed === three.counts);
    told.push(three.counts
      ? `${list(four.stones)} is an open three: ${four.point.name} makes a straight four.`
      : `${list(four.stones)} is not a three: ${four.point.name} would make a straight four, but it is ${FOULS[four.refusal]}.`);
  }
  return told;
}

// The verdict in a sentence.
export function verdict({ point, explanation }) {
  const what = explanation?.verdict ?? "quiet";
  if (what === "five") return `${point.name} makes five: Black wins.`;
  if (what === "quiet") return `${point.name} is allowed.`;
  return `${point.name} is forbidden: it makes ${FOULS[what]}.`;
}
