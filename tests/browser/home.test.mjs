// The home page, the archive, the ranking, profiles and the guide in a real browser.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { Arena, nearTheMiddle, play, script } from "./bots.mjs";
import { PHONE, SHOTS, SIZES, fits, isClean, openPage, shoot } from "./pages.mjs";
import { startArena, startBrowser } from "./server.mjs";

let server;
let browser;
let arena;
let bots;
let live; // a game that goes on
const choose = nearTheMiddle(5);

before(async () => {
  server = await startArena();
  browser = await startBrowser();
  arena = new Arena(server.base);
  bots = [];
  for (const name of ["kaya", "hinoki", "tengen", "boxwood"]) bots.push(await arena.register(name));
  const [kaya, hinoki, tengen, boxwood] = bots;
  for (let seed = 0; seed < 3; seed += 1) {
    const id = await arena.seat(kaya, hinoki, seed === 0 ? "gomoku_freestyle" : "renju_free");
    await play(kaya, hinoki, id, 300, nearTheMiddle(seed));
  }
  live = await arena.seat(kaya, hinoki);
  await play(kaya, hinoki, live, 20, nearTheMiddle(3));
  await arena.seat(tengen, boxwood, "gomoku_swap2", "slow");
  await mkdir(SHOTS, { recursive: true });
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const open = (path, options) => openPage(browser, server.base, path, options);

const PAGES = () => ["/", "/?ruleset=renju_free", "/archive", "/ranking", "/agent/kaya", "/agent/house-3", "/docs"];

for (const [size, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of ["light", "dark"]) {
    test(`pages fit and are accessible: ${size}, ${colorScheme}`, async () => {
      for (const path of PAGES()) {
        const { page, close } = await open(path, { viewport, colorScheme });
        await fits(page, path);
        await isClean(page, `${path} (${size}, ${colorScheme})`);
        const name = path.replace(/[^a-z0-9]+/g, "-").replace(/^-/, "") || "home";
        await shoot(page, `${name}-${size}-${colorScheme}`);
        await close();
      }
    });
  }
}

test("the first five seconds on a phone: what it is, what to do, a live board", async () => {
  const { page, close } = await open("/", { viewport: PHONE });
  const bottom = async (selector) => {
    const box = await page.locator(selector).first().boundingBox();
    return box.y + box.height;
  };
  assert.equal(await page.locator("h1").textContent(), "AI agents play Renju and Gomoku for rating");
  for (const selector of ["h1", 'main a[href="/play"]', 'main a[href="/docs"]', ".featured .sides"]) {
    assert.ok(await bottom(selector) <= PHONE.height, `${selector} is below the fold`);
  }
  const board = await page.locator(".featured .board").boundingBox();
  assert.ok(board.y < PHONE.height - 150, "a good part of the board is above the fold");
  await close();
});

test("the home page counts what there is", async () => {
  const { page, close } = await open("/");
  assert.match(await page.locator('[data-live="counts"]').textContent(), /^2 games live · 3 games finished in 24 hours$/);
  await close();
});

test("the featured game is one that goes on, not an empty board", async () => {
  const { page, close } = await open("/");
  assert.equal(await page.locator(".featured .look").getAttribute("href"), `/game/${live}`);
  for (const shown of ["kaya", "hinoki", "Watch"]) {
    assert.match(await page.locator(".featured").textContent(), new RegExp(shown));
  }
  assert.match(await page.locator(".featured .left").textContent(), /^\d:\d\d$/);
  assert.match(await page.locator(".tile .left").first().textContent(), /^\d+:\d\d/);
  assert.match(await page.locator('[data-live="finished"] time').first().textContent(), /just now|min ago/);
  assert.equal(await page.locator('[data-live="finished"] .won').count() > 0, true);
  await close();
});

test("a live update keeps focus and scroll positions", async () => {
  for (const path of ["/", `/game/${live}`]) {
    const viewport = { width: 900, height: 500 };
    const { page, close } = await open(path, { viewport });
    const target = path === "/" ? page.locator('[data-live="finished"] .tile').last() : page.locator(".moves a").nth(3);
    await target.focus();
    const before = await page.evaluate(() => {
      const list = document.querySelector(".moves");
      if (list) list.scrollTop = 7;
      window.focused = document.activeElement;
      return { y: window.scrollY, list: list?.scrollTop, text: document.querySelector('[data-live="featured"], [data-live="moves"]').textContent };
    });
    const view = await bots[0].get(`/games/${live}`);
    await play(bots[0], bots[1], live, view.turn_number + 1, choose);
    await page.waitForFunction((text) =>
      document.querySelector('[data-live="featured"], [data-live="moves"]').textContent !== text, before.text, { timeout: 15_000 });
    const after = await page.evaluate(() => ({
      kept: document.activeElement === window.focused && window.focused !== document.body,
      connected: window.focused.isConnected,
      y: window.scrollY,
      list: document.querySelector(".moves")?.scrollTop,
    }));
    assert.deepEqual(after, { kept: true, connected: true, y: before.y, list: before.list }, path);
    await close();
  }
});

test("focus survives when the order of the tiles changes", async () => {
  const { page, close } = await open("/");
  const tile = page.locator('[data-live="finished"] .tile').first();
  const href = await tile.getAttribute("href");
  await tile.focus();
  const [one, other] = [await arena.register("quick-one"), await arena.register("quick-two")];
  const id = await arena.seat(one, other, "gomoku_freestyle");
  await arena.call("POST", `/games/${id}/resign`, one.key, { idempotency_key: "resign" });
  await page.locator(`[data-live="finished"] a[href="/game/${id}"]`).waitFor({ timeout: 15_000 });
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("href")), href);
  await close();
});

test("chips filter by ruleset without scripts", async () => {
  const { page, close } = await open("/", { javaScriptEnabled: false });
  await page.getByRole("link", { name: "Renju, free opening", exact: true }).click();
  assert.ok(page.url().endsWith("/?ruleset=renju_free"), page.url());
  const tiles = await page.locator('[data-live="finished"] .tile').allTextContents();
  assert.ok(tiles.length > 0 && tiles.every((text) => text.includes("Renju, free opening")), String(tiles));
  assert.match(await page.locator("time").first().textContent(), /^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
  await page.getByRole("link", { name: "All games" }).first().click();
  assert.ok(page.url().endsWith("/archive?ruleset=renju_free"), page.url());
  await close();
});

test("the archive is searched without scripts", async () => {
  const { page, close } = await open("/archive", { javaScriptEnabled: false });
  const rows = page.locator(".row");
  assert.ok(await rows.count() >= 3);
  await page.locator('[name="agent"]').fill("kaya");
  await page.locator('[name="ruleset"]').selectOption("gomoku_freestyle");
  await page.getByRole("button", { name: "Show" }).click();
  assert.equal(await rows.count(), 1);
  assert.equal(await page.locator('[name="agent"]').inputValue(), "kaya");
  await page.goto(`${server.base}/archive?until=2020-01-01`);
  assert.match(await page.locator("main").textContent(), /No such game\./);
  await close();
});

test("the archive is searched by opening and by rating", async () => {
  const { page, close } = await open("/archive", { javaScriptEnabled: false });
  const rows = page.locator(".row");
  const [one, other] = [await arena.register("seeker"), await arena.register("hider")];
  const id = await arena.seat(one, other, "renju_free");
  await script(arena, one, other, id, "h8 h9 i9");
  await arena.call("POST", `/games/${id}/resign`, one.key, { idempotency_key: "resign" });
  await page.locator('[name="opening"]').selectOption("Kagetsu");
  await page.locator('[name="agent"]').fill("seeker");
  await page.getByRole("button", { name: "Show" }).click();
  assert.equal(await page.locator(".row > a").getAttribute("href"), `/game/${id}`);
  assert.equal(await page.locator('[name="opening"]').inputValue(), "Kagetsu");
  await page.goto(`${server.base}/archive?opening=Suisei`);
  assert.equal(await rows.count(), 0);
  await page.goto(`${server.base}/archive?rating=1500&agent=seeker`);
  assert.equal(await rows.count(), 1);
  await page.goto(`${server.base}/archive?rating=2600`);
  assert.equal(await rows.count(), 0);
  await close();
});

test("tables and their labels can be read on a phone without scrolling sideways", async () => {
  for (const path of ["/ranking", "/agent/kaya", "/docs"]) {
    const { page, close } = await open(path, { viewport: PHONE });
    const hidden = await page.locator(".wide, .terms").evaluateAll((boxes) =>
      boxes.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.outerHTML.slice(0, 80)));
    assert.deepEqual(hidden, [], path);
    if (path.startsWith("/agent")) {
      const heights = await page.locator(".graph text").evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect().height));
      assert.ok(heights.length > 2 && Math.min(...heights) >= 11, heights.join(" "));
    }
    await close();
  }
});

test("a profile lists games of all rules and says so; its rows of ratings look like links", async () => {
  const { page, close } = await open("/agent/kaya");
  const latest = page.locator('section[aria-labelledby="recent"]');
  assert.match(await latest.locator(".heading").innerText(), /all rules/);
  const rules = await latest.locator(".row").allInnerTexts();
  for (const name of ["Gomoku, five or more", "Renju, free opening"]) assert.ok(rules.some((row) => row.includes(name)), name);
  const chosen = page.locator("a.pick").first();
  assert.equal(await chosen.evaluate((link) => getComputedStyle(link).textDecorationLine), "underline");
  assert.match(await page.locator('section[aria-labelledby="results"] h2').innerText(), /(Gomoku|Renju), .*last \d games?/);
  await close();
});

test("a house bot's page leads to a game against it", async () => {
  const { page, close } = await open("/agent/house-5");
  await page.getByRole("link", { name: "Play against it" }).click();
  assert.equal(await page.locator('select[name="house"]').inputValue(), "5");
  await close();
});

test("who types /leaderboard in a browser sees the ranking, and a program gets JSON", async () => {
  const { page, close } = await open("/leaderboard?pool=fast");
  assert.ok(page.url().endsWith("/ranking?pool=fast"), page.url());
  assert.equal(await page.locator("h1").textContent(), "Ranking");
  await close();
  const reply = await fetch(`${server.base}/leaderboard`);
  assert.equal((await reply.json()).pool, "standard");
});

test("errors are sentences with a way out", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  for (const [path, title] of [["/nothing", "This page does not exist"], ["/ranking?pool=warp", "This address has a mistake"]]) {
    await page.goto(server.base + path);
    assert.equal(await page.locator("h1").textContent(), title);
    const words = await page.locator("main p").first().textContent();
    assert.match(words, /^[A-Z].*\.$/);
    assert.doesNotMatch(words, /"|not one of/);
    assert.ok(await page.locator('main a[href="/"]').count() > 0);
  }
  await context.close();
});

test("the guide's commands and its bot run as they stand", async () => {
  const { page, close } = await open("/docs");
  const blocks = await page.locator(".steps pre").allTextContents();
  const run = promisify(execFile);
  const { stdout } = await run("bash", ["-c", blocks.join("\n")], { timeout: 60_000 });
  assert.match(stdout, /has the key \S{20,}/);
  assert.match(stdout, /watch it: http\S+\/game\/[a-z2-7]{16}/);
  assert.match(stdout, /"game_id":"[a-z2-7]{16}"/);
  const folder = await mkdtemp(join(tmpdir(), "bot-"));
  const file = join(folder, "bot.py");
  const bot = await page.locator('[aria-label="A bot in Python"]').textContent();
  // A long game asks more often than a key may. So do these requests, also on a slow machine.
  const more = `
from concurrent.futures import ThreadPoolExecutor
list(ThreadPoolExecutor(16).map(lambda _: call("GET", "/queue"), range(200)))
print("done")
`;
  await writeFile(file, bot + more);
  const { stdout: said } = await run("python3", [file], { timeout: 120_000 });
  assert.match(said, /plays: http[^]*winner: [^]*waiting: {.*rate_limited[^]*done/);
  await rm(folder, { recursive: true });
  await close();
});

test("an arena in which nobody plays shows an exhibition", async () => {
  const quiet = await startArena("--exhibition");
  const { page, close } = await openPage(browser, quiet.base, "/");
  await page.getByText("exhibition of two house bots").first().waitFor({ timeout: 15_000 });
  await page.locator(".featured desc", { hasText: "stones" }).first().waitFor({ state: "attached", timeout: 30_000 });
  await page.locator(".featured .button").click();
  assert.match(await page.locator(".heading").textContent(), /exhibition of two house bots/);
  await close();
  await quiet.stop();
});
