// A puzzle: every stone of Black must make a four, White gives the only reply. The referee says what
// each stone makes. A stone that White could answer otherwise is taken back.

import { Board, check, proof, verdict } from "./lesson-board.js";

const frame = document.querySelector("[data-board]");
const told = document.querySelector("[data-told]");
const [again, solution] = ["again", "solution"].map((id) => document.getElementById(id));
let number = 0;
let threats = []; // points where White makes five, if Black lets it
let busy = false;
let over = false;

const say = (...lines) => told.replaceChildren(...lines.map((text) => {
  const line = document.createElement("p");
  line.textContent = text;
  return line;
}));

// White wins with five or more, which are the rules of freestyle gomoku: its answer marks those points.
async function whiteThreats() {
  const { points } = await check("gomoku_freestyle", board.stones, "white");
  return points.flatMap((rank, row) => [...rank].flatMap((mark, x) =>
    (mark === "5" ? [String.fromCharCode(97 + x) + (15 - row)] : [])));
}

function solve(words) {
  over = true;
  say(words, number > 1 ? `Solved with ${(number + 1) >> 1} stones.` : "Solved.");
  frame.dataset.solved = "yes";
}

async function move(point) {
  const view = await check("renju_free", board.stones, "black", point);
  const { explanation } = view.verdict;
  board.ask(point, "x", explanation);
  if (!["quiet", "five"].includes(explanation.verdict)) {
    say(verdict(view.verdict), ...proof(explanation), "Try another point.");
    return;
  }
  if (explanation.verdict !== "five") {
    if (threats.some((threat) => threat !== point)) {
      say(`White makes five at ${threats.join(" or ")} first.`, "Try another point.");
      return;
    }
    if (explanation.fours.length === 0) {
      say(`${point} makes no four: White has time for anything.`, "Try another point.");
      return;
    }
  }
  board.clear();
  board.put(point, "x", String(++number));
  if (explanation.verdict === "five") {
    solve(`${point} makes five.`);
    return;
  }
  const fives = [...new Set(explanation.fours.flatMap((four) => four.five_at.map((five) => five.name)))];
  if (fives.length > 1) {
    solve(`Five at ${fives.join(" or ")}: White can stop only one.`);
    return;
  }
  board.put(fives[0], "o", String(++number));
  threats = await whiteThreats();
  say(`White must answer at ${fives[0]}.`, threats.length ? `White threatens five at ${threats.join(" and ")}.` : "Your next four?");
}

const board = new Board(frame, async (point) => {
  if (busy || over) return;
  busy = true;
  try {
    await move(point);
  } catch (error) {
    say(`${error.message}.`);
  }
  busy = false;
});

say("Black to move: click the first four.");
again.hidden = false;
again.addEventListener("click", () => location.reload());
solution.addEventListener("toggle", () => { over ||= solution.open; });
