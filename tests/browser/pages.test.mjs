// The pages in a real browser. `npm test` starts an arena and a browser of its own and leaves pictures
// of the pages in the folder `screenshots`.

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { Arena, nearTheMiddle, play } from "./bots.mjs";
import { startArena, startBrowser } from "./server.mjs";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WIDE = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 844 };
const SHOTS = new URL("screenshots/", import.meta.url).pathname;

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

// A page in a window of its own; whatever the browser complains about fails the test.
async function open(path, options = {}) {
  const context = await browser.newContext({ viewport: WIDE, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText;
    // The page was left while it asked.
    if (why !== "net::ERR_ABORTED") complaints.push(`${request.url()}: ${why}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(server.base)) complaints.push(`${request.url()} is elsewhere`);
  });
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
  });
  await page.goto(server.base + path);
  return {
    page,
    async close() {
      await context.close();
      assert.deepEqual(complaints, [], path);
    },
  };
}

const shoot = (page, name) => page.screenshot({ path: `${SHOTS}${name}.png` });

async function isAccessible(page, what) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => axe.run(document));
  const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
  const told = serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 3).join(" ")}`);
  assert.deepEqual(told, [], `${what} is not accessible`);
}

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
        const overflow = await page.evaluate(() =>
          document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(overflow, 0, `${path} is wider than the window`);
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
    assert.ok(picture.length < 80_000, `${name}: ${picture.length} bytes`);
    await close();
  }
});

test("a live game advances without a reload", async () => {
  const { page, close } = await open(`/game/${live.id}`);
  await page.evaluate(() => { window.untouched = true; });
  const count = page.locator("#count");
  const before = Number((await count.textContent()).split(" ")[0]);
  const view = await play(...live.players, live.id, before + 1, live.choose);
  const told = `Last move: ${view.moves.at(-1).point.name}.`;
  await page.waitForFunction((text) => document.querySelector("#frame desc").textContent.includes(text), told, { timeout: 15_000 });
  assert.ok((await count.textContent()).startsWith(`${before + 1} of`));
  assert.equal(await page.locator(".moves [aria-current]").getAttribute("data-turn"), String(before + 1));
  assert.ok(await page.evaluate(() => window.untouched), "the page was not loaded again");
  assert.match(await page.locator(".clock").textContent(), /^[0-5]:\d\d$/);
  await close();
});

test("the list of live games is kept up to date", async () => {
  const { page, close } = await open("/");
  const [one, other] = [await arena.register("fresh-one"), await arena.register("fresh-two")];
  const id = await arena.seat(one, other, "gomoku_freestyle", "slow");
  await page.locator(`a[href="/game/${id}"]`).waitFor({ timeout: 15_000 });
  await close();
});

test("a game is replayed with keys, buttons and links", async () => {
  const { page, close } = await open(`/game/${over.id}`);
  const turns = over.view.turn_number;
  const at = async (turn) => {
    await page.waitForFunction((text) => document.getElementById("count").textContent === text, `${turn} of ${turns}`);
    const stones = over.view.moves.slice(0, turn).filter((move) => move.point).length;
    const told = stones === 0 ? "without stones" : stones === 1 ? "with one stone" : `with ${stones} stones`;
    await page.waitForFunction((text) => document.querySelector("#frame desc").textContent.includes(text), told);
  };
  await at(turns);
  await page.keyboard.press("ArrowLeft");
  await at(turns - 1);
  await page.keyboard.press("Home");
  await at(0);
  for (let turn = 1; turn <= 5; turn += 1) await page.keyboard.press("ArrowRight");
  await at(5);
  assert.ok(page.url().endsWith("?turn=5"), page.url());
  await page.reload();
  await at(5);
  await page.locator('[data-go="back"]').click();
  await at(4);
  await page.locator(`.moves a[data-turn="9"]`).click();
  await at(9);
  await page.keyboard.press("End");
  await at(turns);
  await close();
});

test("a game can be replayed without scripts", async () => {
  const { page, close } = await open(`/game/${over.id}`, { javaScriptEnabled: false });
  await page.locator('[data-go="first"]').click();
  assert.match(await page.locator("#frame desc").textContent(), /without stones/);
  await page.locator('[data-go="on"]').click();
  assert.match(await page.locator("#frame desc").textContent(), /with one stone/);
  await close();
});

// Makes the decision that is due as a person would; answers with false when the game is over.
async function decide(page) {
  await page.locator('#table[data-due]:not([data-due=""]), #after:not([hidden])').first().waitFor({ timeout: 60_000 });
  const { due, turn } = await page.locator("#table").evaluate(({ dataset }) => ({ ...dataset }));
  if (!due) return false;
  const press = (words) => page.locator("#choices button", { hasText: words }).first().click();
  if (due.startsWith("swap")) await press("Keep");
  else if (due === "declare") await press("2");
  else if (due === "fifth" || due === "offer") {
    if (due === "fifth") await press("Offer");
    await press("Suggest some");
    await press("Send the offer");
  } else await page.locator('#points .point[aria-disabled="false"]').first().click();
  await page.locator(`#table:not([data-turn="${turn}"])`).waitFor();
  assert.equal(await page.locator("#refused").textContent(), "");
  return true;
}

for (const ruleset of ["renju_taraguchi10_international", "renju_soosorv8", "gomoku_capture"]) {
  test(`a whole game against a house bot: ${ruleset}`, async () => {
    const { page, close } = await open("/play");
    await page.locator('select[name="ruleset"]').selectOption(ruleset);
    await page.locator('select[name="house"]').selectOption("3");
    await page.getByRole("button", { name: "Start game" }).click();
    await page.locator("#table").waitFor();
    for (let decisions = 0; await decide(page); decisions += 1) assert.ok(decisions < 200, "the game does not end");
    const end = await page.locator("#status").textContent();
    await shoot(page, `played-${ruleset}`);
    await isAccessible(page, `the end of a game of ${ruleset}`);
    await page.locator("#watch").click();
    await page.locator(".status").waitFor();
    assert.match(end, /won: (five in a row|enough pairs)/);
    await close();
  });
}

test("who comes back goes on with the game, and may resign it", async () => {
  const { page, close } = await open("/play");
  await page.locator('select[name="ruleset"]').selectOption("gomoku_freestyle");
  await page.getByRole("button", { name: "Start game" }).click();
  await page.locator("#table").waitFor();
  await page.reload();
  await page.locator("#table").waitFor();
  page.on("dialog", (dialog) => dialog.accept());
  await page.getByRole("button", { name: "Resign" }).click();
  await page.waitForFunction(() => /won: by resignation/.test(document.getElementById("status").textContent));
  await page.getByRole("button", { name: "Play again" }).click();
  await page.getByRole("button", { name: "Start game" }).waitFor();
  await close();
});
