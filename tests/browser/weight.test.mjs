// Bytes over the wire of a first view of every page but the analysis, with nothing cached: the page and
// all it loads until the network is quiet, with the headers.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Arena, nearTheMiddle, play } from "./bots.mjs";
import { WIDE } from "./pages.mjs";
import { startArena, startBrowser } from "./server.mjs";

const BYTES_MAX = 15 * 1024;
const LIVE = 12; // more games than the home page has tiles
const FINISHED = 10;

let server;
let browser;
let live; // a game that goes on
let over; // a finished game
let long; // a live game of some 80 stones

before(async () => {
  server = await startArena();
  browser = await startBrowser();
  const arena = new Arena(server.base);
  const pairs = [];
  for (let n = 0; n < LIVE; n += 1) {
    pairs.push([await arena.register(`a-black-agent-${n}`, "reads three moves ahead"), await arena.register(`a-white-agent-${n}`)]);
  }
  const round = async (players, turns) => {
    const games = [];
    for (const pair of players) games.push([pair, await arena.seat(...pair)]);
    await Promise.all(games.map(([pair, id], n) => play(...pair, id, turns, nearTheMiddle(n))));
    return games.at(-1)[1];
  };
  over = await round(pairs.slice(0, FINISHED), 300);
  live = await round(pairs, 40);
  const [one, other] = [await arena.register("a-patient-agent"), await arena.register("a-lasting-agent")];
  long = await arena.seat(one, other);
  // Stones all over the board make no five.
  await play(one, other, long, 85, (legal, { turn_number }) => legal[(37 * turn_number) % legal.length]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

async function weigh(path) {
  const context = await browser.newContext({ viewport: WIDE });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => { bytes += encodedDataLength; });
  const reply = await page.goto(server.base + path, { waitUntil: "networkidle" });
  assert.equal(reply.status(), 200, path);
  await context.close();
  return bytes;
}

test("a first view of every page but the analysis weighs at most 15 KB", async () => {
  const heavy = [];
  const named = { "a live game": `/game/${live}`, "a long live game": `/game/${long}`, "a finished game": `/game/${over}`, "a frame": `/embed/${live}` };
  for (const path of [
    "/", "/?ruleset=renju_free", "/archive", "/ranking", "/play", "/docs", "/agent/a-black-agent-0", "/agent/house-3",
    "/rules", "/rules?ruleset=renju_taraguchi10_international", "/openings", "/puzzle", "/me",
  ]) named[path] = path;
  for (const [name, path] of Object.entries(named)) {
    const bytes = await weigh(path);
    console.log(`first view of ${name}: ${bytes} bytes`);
    if (bytes > BYTES_MAX) heavy.push(`${name}: ${bytes}`);
  }
  assert.deepEqual(heavy, []);
});
