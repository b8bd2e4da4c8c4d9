// Lessons: a click on a point asks the referee for a black stone there.

import { Board, check, proof, verdict } from "./lesson-board.js";

for (const frame of document.querySelectorAll("[data-board]")) {
  const told = frame.closest(".lesson").querySelector("[data-told]");
  const board = new Board(frame, async (point) => {
    try {
      const view = await check("renju_free", board.stones, "black", point);
      board.ask(point, "x", view.verdict.explanation);
      told.replaceChildren(...[verdict(view.verdict), ...proof(view.verdict.explanation)].map((text) => {
        const line = document.createElement("p");
        line.textContent = text;
        return line;
      }));
    } catch (error) {
      told.textContent = `${error.message}.`;
    }
  });
  told.textContent = "Click any point to ask the referee about a black stone there.";
}
