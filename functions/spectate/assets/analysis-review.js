// Results of a review: its text, the curve of Black's chances, the list of mistakes.

import { chance, words } from "./analysis-engine.js";

const NAMES = {
  foul: "a forbidden move",
  trap: "lets White force a forbidden move",
  "missed-win": "misses a win",
  blunder: "a blunder",
};
const SHORT = { foul: "foul", trap: "trap", "missed-win": "missed win", blunder: "blunder" };

// Reads the answer of the module. Scores are Black's.
export function read(text) {
  const [first, ...lines] = text.split("\n");
  const [black, white] = first.split(" ").map((word) => (word === "-" ? null : Number(word)));
  const moves = lines.map((line) => {
    const [point, before, after, judgement, best] = line.split(" ");
    return { point, before: Number(before), after: Number(after), judgement: SHORT[judgement] && judgement, best };
  });
  return { accuracy: { black, white }, moves };
}

// Words for the list of moves.
export const badge = (judgement) => SHORT[judgement];

const svg = (tag, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};

const [WIDE, HIGH] = [400, 100];

// Draws the curve into `root`; a click goes to the move there.
export function drawCurve(root, { moves }, go) {
  const scores = [moves[0]?.before ?? 0, ...moves.map(({ after }) => after)];
  const x = (n) => (WIDE * n) / Math.max(1, scores.length - 1);
  const y = (score) => HIGH * (1 - chance(score));
  const line = scores.map((score, n) => `L${x(n).toFixed(1)} ${y(score).toFixed(1)}`).join("");
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "curve", role: "img", preserveAspectRatio: "none" });
  picture.setAttribute("aria-label", `Black's chances: ${words(scores[0])} at the start, ${words(scores.at(-1))} at the end`);
  picture.append(
    svg("rect", { class: "whites", width: WIDE, height: HIGH }),
    svg("path", { class: "blacks", d: `M0 ${HIGH}${line}L${WIDE} ${HIGH}Z` }),
    svg("path", { class: "half", d: `M0 ${HIGH / 2}H${WIDE}` }),
    svg("path", { class: "here", d: "" }),
  );
  moves.forEach(({ judgement, after }, n) => {
    // A line of no length with a round end stays round when the picture is stretched.
    if (judgement) picture.append(svg("path", { class: "mistake", d: `M${x(n + 1).toFixed(1)} ${y(after).toFixed(1)}h.01` }));
  });
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width) * (scores.length - 1)));
  });
  root.replaceChildren(picture);
  return (depth) => picture.querySelector(".here").setAttribute("d", depth < scores.length ? `M${x(depth).toFixed(1)} 0V${HIGH}` : "");
}

// Lists the mistakes as buttons that go to the position before them.
export function listMistakes(root, { moves }, go) {
  const items = moves.flatMap(({ point, judgement, best }, n) => {
    if (!judgement) return [];
    const [item, button] = [document.createElement("li"), document.createElement("button")];
    Object.assign(button, { type: "button", className: `mistake ${n % 2 ? "white" : "black"}` });
    const instead = best && judgement !== "foul" ? `; ${best.match(/[a-t]\d+/)?.[0] ?? ""} was better` : "";
    button.textContent = `${n + 1} ${point}: ${NAMES[judgement]}${instead}`;
    button.addEventListener("click", () => go(n));
    item.append(button);
    return [item];
  });
  root.replaceChildren(...items);
}

// A sentence about both colours.
export function summary({ accuracy, moves }) {
  const count = (color) => moves.filter(({ judgement }, n) => judgement && (n % 2 === 0) === (color === "black")).length;
  const side = (color, name) =>
    accuracy[color] === null ? `${name} had no move to judge` : `${name} ${accuracy[color]} %, ${count(color) || "no"} ${count(color) === 1 ? "mistake" : "mistakes"}`;
  return `Accuracy: ${side("black", "Black")}; ${side("white", "White")}.`;
}
