// Players and moves of the game that is played.

import { left } from "./clock.js";
import { brief } from "./say.js";

export function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// A player of the game; `me` is the name of who looks.
export function side(game, color, me) {
  const { name, rating, rating_after: after } = game.players[color];
  const acts = game.to_act?.color === color;
  const soft = [color];
  if (name === me) soft.push("you");
  if (game.pairs) soft.push(`${game.pairs[color]} of ${game.pairs.to_win} pairs`);
  const row = element("div", { class: acts ? "player acts" : "player" },
    element("span", { class: `stone ${color}`, "aria-hidden": "true" }),
    element("span", { class: "who" }, element("bdi", {}, name), element("span", { class: "soft" }, soft.join(" · "))),
    element("span", { class: "rating" }, name === me && !game.counted ? "" : after ? `${Math.round(rating)} → ${Math.round(after)}` : String(Math.round(rating))));
  if (acts) row.append(element("span", { class: "clock", role: "timer", "aria-label": "time left", "data-deadline": game.turn_deadline_ms }));
  else if (!game.result) row.append(element("span", { class: "clock idle", "aria-hidden": "true" }, left(game.turn_limit_ms)));
  return row;
}

// Fills the list of moves.
export function list(place, moves) {
  const items = moves.map((move) => element("li", { class: move.point ? move.color : "word" },
    ...(move.move_number ? [element("b", {}, String(move.move_number))] : []), brief(move)));
  place.replaceChildren(...items);
  place.scrollTop = place.scrollHeight;
}
