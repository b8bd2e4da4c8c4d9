// A board to analyse on: stones of both colours, variations, the referee's marks, the engine, the review of a
// game. Rules, engine and drawing are the WebAssembly module; the server is asked for nothing.

import { Board } from "./analysis-board.js";
import { Engine, chance, words } from "./analysis-engine.js";
import { badge, drawCurve, listMistakes, read, summary } from "./analysis-review.js";
import { Tree, moves, path } from "./analysis-tree.js";
import { points, start } from "./renju.js";

const $ = (id) => document.getElementById(id);
const page = $("analysis");
const { dataset } = page;
const rules = `${dataset.ruleset} ${dataset.size}`;
const turns = dataset.turns?.split(" ").map(Number);
const REVIEW_NODES = 2_000;

const tree = new Tree(points(dataset.stones));
tree.current = tree.main(Number(dataset.shown));
points(dataset.branch).forEach((point) => tree.play(point));

const module = await WebAssembly.compileStreaming(fetch(dataset.module)).catch((error) => {
  $("trouble").textContent = "The engine could not be loaded; this is the position of the address.";
  throw error;
});
const ask = await start(module);
const board = new Board($("spots"), Number(dataset.size), place, (point) => {
  $("status").textContent = `Tap ${point} again to place it.`;
});
const engine = new Engine(dataset.worker, module, hear);

let state = ["black"]; // the words of the module: who is to move, or the end
let found = {}; // what the engine has said about the position
let preview = null; // a line to show instead of what the engine found
let pointAt = () => {}; // moves the line in the curve

const capital = (word) => word[0].toUpperCase() + word.slice(1);

function made(tag, attributes = {}, ...children) {
  const element = Object.assign(document.createElement(tag), attributes);
  element.append(...children);
  return element;
}

// Moving about.

function place(point) {
  try {
    ask(`show ${rules}\n${moves(tree.current)}${point}`);
  } catch (error) {
    $("trouble").textContent = `${capital(error.message)}.`;
    return;
  }
  tree.play(point);
  arrive();
}

function go(node) {
  tree.current = node;
  arrive();
}

const goMain = (depth) => go(tree.main(depth));

// Shows the current position and lets the engine look at it.
function arrive() {
  $("trouble").textContent = "";
  found = {};
  preview = null;
  draw();
  list();
  history.replaceState(null, "", address());
  think();
}

function address() {
  const query = new URLSearchParams();
  const shared = tree.shared();
  const all = path(tree.current).map(({ point }) => point);
  if (dataset.game && shared < turns.length) {
    query.set("game", dataset.game);
    query.set("turn", turns[shared]);
    if (all.length > shared) query.set("moves", all.slice(shared).join(""));
  } else {
    query.set("ruleset", dataset.ruleset);
    if (dataset.size !== dataset.defaultSize) query.set("size", dataset.size);
    query.set("moves", all.join(""));
  }
  return `?${query}`;
}

// Drawing.

function draw() {
  const fours = $("ghosts").checked && found.fours?.[state[0]];
  const stones = moves(tree.current);
  const show = (line, best) => ask(`show ${rules}\n${stones}\n${line}\n${best}`).split("\n");
  let [words_, classes, svg] = show(preview ?? "", "");
  state = words_.split(" ");
  if (preview === null && state[0] !== "over") {
    const line = fours || "";
    const best = line ? "" : points(found.line ?? "")[0] ?? "";
    if (line || best) [, classes, svg] = show(line, best);
  }
  $("frame").innerHTML = svg;
  board.set(classes, state[0], state[0] === "over", dataset.ruleset.startsWith("renju") ? "black" : state[0]);
  $("status").textContent = sentence();
  const last = path(end(tree.current)).length;
  $("count").textContent = `${tree.current.depth} of ${last}`;
  pointAt(tree.shared() === tree.current.depth ? tree.current.depth : Infinity);
}

function end(node) {
  let at = node;
  while (at.children.length > 0) [at] = at.children;
  return at;
}

function sentence() {
  const [who, winner, by] = state;
  if (who !== "over") return `${capital(who)} to move.`;
  return winner === "draw" ? "A draw: the board is full." : `${capital(winner)} wins: ${by}.`;
}

// The tree of moves: a line, and after each move the variations from it.
function list() {
  const line = (node, root) => {
    for (let at = node; at; [at] = at.children) {
      root.append(step(at));
      const siblings = at.parent.children;
      if (at === siblings[0]) {
        for (const other of siblings.slice(1)) root.append(made("li", { className: "variation" }, line(other, made("ol"))));
      }
    }
    return root;
  };
  $("tree").replaceChildren(line(tree.root.children[0], made("ol")));
  if (!tree.root.children[0]) $("tree").textContent = "No stones yet. Click a point of the board.";
  $("cut").hidden = tree.shared() === tree.current.depth;
  $("review").hidden = !tree.root.children[0];
  const current = $("tree").querySelector("[aria-current]");
  if (current) {
    const [row, box] = [current.getBoundingClientRect(), $("tree").getBoundingClientRect()];
    if (row.top < box.top || row.bottom > box.bottom) $("tree").scrollTop += row.top - box.top - box.height / 2;
  }
}

function step(node) {
  const button = made("button", { type: "button", className: node.depth % 2 ? "black" : "white" },
    made("b", {}, String(node.depth)), node.point);
  if (node.judgement) button.append(made("em", {}, badge(node.judgement)));
  if (node === tree.current) button.setAttribute("aria-current", "step");
  button.addEventListener("click", () => go(node));
  return made("li", {}, button);
}

// The engine.

function think() {
  const over = state[0] === "over";
  $("verdict").textContent = over ? sentence() : $("thinking").checked ? "…" : "Off.";
  $("effort").textContent = "";
  for (const id of ["best", "fours"]) $(id).hidden = true;
  balance(over ? { black: 30_000, white: -30_000, draw: 0 }[state[1]] : null);
  if (over || !$("thinking").checked) engine.stop();
  else engine.ask({ rules, stones: moves(tree.current) });
}

function hear(news) {
  if (news.trouble) {
    $("trouble").textContent = `${capital(news.trouble)}.`;
    return;
  }
  found = { ...found, ...news };
  if (news.fours) tellFours();
  if (news.line !== undefined) {
    $("verdict").textContent = words(news.score);
    $("effort").textContent = `depth ${news.depth}, ${news.nodes.toLocaleString("en")} positions`;
    // A win by fours is the best line.
    offer($("best"), "Best line:", found.fours?.[state[0]] ? "" : news.line);
    balance(news.score);
  }
  draw();
}

function tellFours() {
  const mine = state[0];
  const other = mine === "black" ? "white" : "black";
  if (found.fours[mine]) offer($("fours"), `${capital(mine)} wins by fours:`, found.fours[mine]);
  else if (found.fours[other]) offer($("fours"), `${capital(other)} threatens to win by fours:`, found.fours[other], false);
}

// A line as buttons: each plays up to its move, and shows the line while the pointer is on it.
function offer(root, title, line, playable = true) {
  const names = points(line);
  const items = names.map((name, n) => {
    if (!playable) return made("span", { className: "ply" }, name);
    const button = made("button", { type: "button", className: "ply" }, name);
    button.addEventListener("click", () => {
      names.slice(0, n + 1).forEach((each) => tree.play(each));
      arrive();
    });
    for (const [event, shown] of [["pointerenter", names.slice(0, n + 1).join("")], ["pointerleave", null]]) {
      button.addEventListener(event, () => {
        preview = shown;
        draw();
      });
    }
    return button;
  });
  root.replaceChildren(`${title} `, ...items);
  root.hidden = names.length === 0;
}

function balance(score) {
  const bar = $("balance");
  bar.classList.toggle("unknown", score === null);
  bar.firstElementChild.style.width = `${100 * chance(score ?? 0)}%`;
  bar.setAttribute("aria-label", score === null ? "No evaluation yet" : words(score));
}

// The review.

$("start-review").addEventListener("click", () => {
  const line = path(tree.main());
  const button = $("start-review");
  const bar = $("progress");
  const reviewer = new Engine(dataset.worker, module, ({ done, total, review, trouble }) => {
    if (total) bar.value = done / total;
    if (!trouble && !review) return;
    reviewer.stop();
    button.disabled = false;
    bar.hidden = true;
    if (trouble) {
      $("reviewed").textContent = `The review failed: ${trouble}.`;
      return;
    }
    const result = read(review);
    result.moves.forEach(({ judgement }, n) => { line[n].judgement = judgement; });
    $("reviewed").textContent = summary(result);
    pointAt = drawCurve($("curve"), result, goMain);
    listMistakes($("mistakes"), result, goMain);
    list();
    draw();
  });
  button.disabled = true;
  bar.hidden = false;
  bar.value = 0;
  reviewer.ask({ review: true, rules, stones: line.map(({ point }) => point).join(""), nodes: REVIEW_NODES });
});

// Controls.

const KEYS = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last" };

function travel(way) {
  tree[way]();
  arrive();
}

for (const button of document.querySelectorAll("[data-go]")) {
  button.addEventListener("click", () => travel(button.dataset.go));
}
document.addEventListener("keydown", (event) => {
  const way = KEYS[event.key];
  if (!way || event.target.closest("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  travel(way);
});
$("cut").addEventListener("click", () => {
  tree.cut();
  arrive();
});
$("thinking").addEventListener("change", arrive);
$("ghosts").addEventListener("change", draw);

for (const part of document.querySelectorAll(".needs-script")) part.hidden = false;
arrive();
page.dataset.ready = "";
