// The WebAssembly module of the pages, in Node: it judges as the crates do from which it is built.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { read } from "../../functions/spectate/assets/analysis-review.js";
import { points, start } from "../../functions/spectate/assets/renju.js";

const file = (path) => readFile(new URL(`../../${path}`, import.meta.url));
const bytes = await file("functions/spectate/assets/renju.wasm");
const ask = await start(await WebAssembly.compile(bytes));

const rows = async (name) => {
  const text = gunzipSync(await file(`${name}.jsonl.gz`)).toString();
  return text.trim().split("\n").map((line) => JSON.parse(line));
};
// The engine against itself, 60 moves without an end.
const GAME =
  "h8i7j7g9j9j8h6h9f9g8i10f8k8h11i6h5g6j6h10j10g7f6k6k9l7m6i11f5i12i9m8f7f4d5e6g5e5j5i5m10k10m4l9j11n7o6j4k3e7e4e8e9c6" +
  "l10m11g10d6g12g11c7";
const FREE = "renju_free 15";
const FOUL_FIRST = "renju_taraguchi10_international 15";

test("forbidden points agree on 20,000 boards", async () => {
  const boards = await rows("agent/tests/data/renju_forbidden");
  assert.equal(boards.length, 20_000);
  for (const { id, p } of boards) {
    assert.equal(ask(`classes ${FREE} black\n${p.replace(/[3456]/g, ".")}`), p, `board ${id}`);
  }
});

test("classical cases agree in both readings", async () => {
  const cases = await rows("agent/tests/data/classical");
  assert.equal(cases.length, 42);
  for (const { b, pt, rif, seed } of cases) {
    const at = (Number(pt.slice(1)) - 1) * 15 + pt.charCodeAt(0) - 97;
    for (const [rules, mark] of [[FREE, rif], [FOUL_FIRST, seed]]) {
      assert.equal(ask(`classes ${rules} black\n${b}`)[at], mark, `${pt} of ${b}`);
    }
  }
});

test("the engine finds a five, and the same search gives the same answer", () => {
  const [score, , nodes, line] = ask(`think ${FREE} 1000\nh8h9i8i9j8j9`).split(" ");
  assert.equal(Number(score), 30_000 - 3);
  assert.equal(points(line).length, 1);
  const think = () => ask(`think ${FREE} 5000\nh8i9j7g7`);
  ask("think gomoku_freestyle 15 10\nh8");
  const first = think();
  ask("think gomoku_freestyle 15 10\nh8");
  assert.equal(think(), first);
  assert.ok(Number(nodes) <= 1000);
});

test("wins by fours are found for both colours", () => {
  const [black, white] = ask(`fours ${FREE} 10000\nh8h9i8i9j8j9`).split("\n");
  assert.ok(points(black).length > 0 && points(white).length > 0);
  assert.deepEqual(ask(`fours ${FREE} 10000\nh8h9`).split("\n"), ["", ""]);
  assert.deepEqual(ask("fours gomoku_capture 19 10000\nh8h9i8i9j8j9").split("\n"), ["", ""]);
});

test("a position is drawn with its state, marks and a line", () => {
  const [state, classes, svg] = ask(`show ${FREE}\nh8a1g8a3i9a5i10o1\nk1k2\nk1`).split("\n");
  assert.equal(state, "black");
  assert.equal(classes.length, 225);
  assert.match(svg, /^<svg .*class="forbidden".*class="best".*class="black ghost".*<\/svg>$/);
  const [over] = ask(`show ${FREE}\nh8a1g8a3i9a5i10o1i8`).split("\n");
  assert.equal(over, "over white double-three");
  const [, , whites] = ask(`show ${FREE}\nh8a1g8a3i9a5i10`).split("\n");
  assert.match(whites, /class="forbidden later"/);
});

function review(rules, stones, nodes) {
  const total = Number(ask(`review ${rules} ${nodes}\n${stones}`));
  for (let n = 0; n < total; n += 1) ask("value");
  return read(ask("judge"));
}

test("a review names the mistakes", () => {
  const { accuracy, moves } = review(FREE, "h8h9i8i9j8j9a1", 2000);
  assert.deepEqual(moves.map(({ judgement }) => judgement).slice(-2), ["blunder", "missed-win"]);
  assert.ok(accuracy.black < 100 && accuracy.white < 100);
  const trapped = review(FREE, "n3k6h8l5g8m4i9a1i10", 2000);
  assert.equal(trapped.moves.at(-1).judgement, "trap");
  assert.equal(review(FREE, "h8a1g8a3i9a5i10o1i8", 100).moves.at(-1).judgement, "foul");
  assert.throws(() => ask("value"), /there is no review/);
});

test("a game of 60 moves is reviewed with 2,000 nodes a move", (context) => {
  const started = performance.now();
  const { moves } = review(FREE, GAME, 2000);
  const seconds = (performance.now() - started) / 1000;
  assert.equal(moves.length, 60);
  context.diagnostic(`${seconds.toFixed(2)} s`);
});

test("a wrong request is answered with a sentence", () => {
  for (const [request, why] of [
    ["", /lacks a command/],
    ["dance", /no command "dance"/],
    ["show chess 15", /no ruleset "chess"/],
    ["show renju_free 19", /not played on a 19×19 board/],
    ["show renju_free 300", /"300" is not the side of a board/],
    [`show ${FREE}\nh8h8`, /h8 is occupied/],
    [`show ${FREE}\nh8;i9`, /";" is not a point/],
    [`show ${FREE}\np1`, /not on/],
    [`think ${FREE} many\nh8`, /"many" is not a number of nodes/],
    [`think ${FREE} 10\nh8a1i8a2j8a3k8a4l8`, /the game is over/],
    [`classes ${FREE} green\n`, /"green" is not a colour/],
    [`classes ${FREE} black\n..x`, /3 characters where 225 are due/],
  ]) assert.throws(() => ask(request), why, request);
});
