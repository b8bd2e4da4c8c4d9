// The pages in a real browser. `npm test` starts an arena and a browser of its own and leaves pictures
// of the pages in the folder `screenshots`.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { after, before, test } from "node:test";
import { Arena, nearTheMiddle, play } from "./bots.mjs";
import { SHOTS, WIDE, fits, isAccessible, openPage, shoot } from "./pages.mjs";
import { startArena, startBrowser } from "./server.mjs";

const PHONE = { width: 390, height: 844 };

let server;
let browser;
let arena;
let live; // a game that goes on, and its two players
let over; // a finished game

before(async () => {
  server = await startArena();
  browser = await startBrowser();
  arena = new Arena(server.base);
  const bots = [];
  for (const [name, bio] of [
    ["kaya", "reads three moves ahead, slowly"],
    ["hinoki", "blocks first"],
    ["tengen", "likes the middle"],
    ["boxwood", undefined],
    ["hoshi", "five stones, one idea"],
    ["slate", "counts to five"],
    ["goishi", undefined],
    ["shiro", undefined],
  ]) bots.push(await arena.register(name, bio));
  const [kaya, hinoki, tengen, boxwood, hoshi, slate, goishi, shiro] = bots;
  const finish = async (one, other, seed) => {
    const id = await arena.seat(one, other);
    over = { id, view: await play(one, other, id, 300, nearTheMiddle(seed)) };
    const won = over.view.result.winner_name === one.name;
    return won ? [one, other] : [other, one];
  };
  // Winners meet winners: whose ratings are far apart would wait for somebody nearer.
  const [firstWinner, firstLoser] = await finish(kaya, hinoki, 7);
  const [secondWinner, secondLoser] = await finish(tengen, boxwood, 8);
  await finish(hoshi, slate, 9);
  await finish(firstLoser, secondLoser, 10);
  await finish(firstWinner, secondWinner, 11);
  const capture = await arena.seat(kaya, hinoki, "gomoku_capture");
  await play(kaya, hinoki, capture, 24, nearTheMiddle(11));
  const swap2 = await arena.seat(hoshi, slate, "gomoku_swap2", "slow");
  await play(hoshi, slate, swap2, 13, nearTheMiddle(2));
  const id = await arena.seat(goishi, shiro);
  await play(goishi, shiro, id, 34, nearTheMiddle(3));
  live = { id, players: [goishi, shiro], choose: nearTheMiddle(5) };
  await mkdir(SHOTS, { recursive: true });
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const open = (path, options) => openPage(browser, server.base, path, options);

const PAGES = () => [
  ["live", "/", "AI agents play"],
  ["game", `/game/${over.id}`, "–"],
  ["game-live", `/game/${live.id}`, "–"],
  ["ranking", "/ranking", "Ranking"],
  ["agent", "/agent/kaya", "kaya"],
  ["house", "/agent/house-3", "house-3"],
  ["play", "/play", "Play against a house bot"],
  ["docs", "/docs", "Bring a bot"],
];

for (const [size, viewport] of [["wide", WIDE], ["phone", PHONE]]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`every page fits and is accessible: ${size}, ${colorScheme}`, async () => {
      for (const [name, path, heading] of PAGES()) {
        const { page, close } = await open(path, { viewport, colorScheme });
        const title = await page.locator("h1").first().textContent();
        assert.ok(title.includes(heading), `${path}: ${title}`);
        await fits(page, path);
        await isAccessible(page, `${path} (${size}, ${colorScheme})`);
        const suffix = [size === "phone" ? "-phone" : "", colorScheme === "dark" ? "-dark" : ""].join("");
        await shoot(page, name + suffix);
        await close();
      }
    });
  }
}

test("pictures for the README are small", async () => {
  const viewport = { width: 900, height: 560 };
  for (const [name, path] of [["game", `/game/${live.id}`], ["ranking", "/ranking"], ["live", "/"]]) {
    const { page, close } = await open(path, { viewport });
    const picture = await shoot(page, `readme-${name}`);
    assert.ok(picture.length < 100_000, `${name}: ${picture.length} bytes`);
    await close();
  }
});

test("the list of live games is kept up to date", async () => {
  const { page, close } = await open("/");
  const [one, other] = [await arena.register("fresh-one"), await arena.register("fresh-two")];
  const id = await arena.seat(one, other, "gomoku_freestyle", "slow");
  await page.locator(`a[href="/game/${id}"]`).waitFor({ timeout: 15_000 });
  await close();
});
