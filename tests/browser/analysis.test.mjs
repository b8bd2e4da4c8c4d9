// The analysis board in a real browser: stones, variations, marks, the engine, the review.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { after, before, test } from "node:test";
import { Arena, nearTheMiddle, play } from "./bots.mjs";
import { PHONE, SHOTS, SIZES, fits, isClean, openPage, shoot } from "./pages.mjs";
import { startArena, startBrowser } from "./server.mjs";

const FREE = "/analysis?ruleset=renju_free";
const DOUBLE_THREE = "h8a1g8a3i9a5i10"; // i8 is forbidden to Black; White is to move
const FOURS = "h8h9i8i9j8j9"; // either colour wins by fours

let server;
let browser;
let game;

before(async () => {
  server = await startArena();
  browser = await startBrowser();
  const arena = new Arena(server.base);
  const [one, other] = [await arena.register("kaya"), await arena.register("hinoki")];
  const id = await arena.seat(one, other);
  game = { id, view: await play(one, other, id, 300, nearTheMiddle(7)) };
  await mkdir(SHOTS, { recursive: true });
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

// A page that is ready to be used.
async function open(path, options = {}) {
  const opened = await openPage(browser, server.base, path, options);
  if (options.javaScriptEnabled !== false) await opened.page.locator("#analysis[data-ready]").waitFor();
  return opened;
}

const spot = (page, name) => page.locator(`.spot[data-name="${name}"]`);
const described = (page, text) =>
  page.waitForFunction((wanted) => document.querySelector("#frame desc").textContent.includes(wanted), text);
const said = (page, id, pattern) =>
  page.waitForFunction(([at, source]) => new RegExp(source).test(document.getElementById(at).textContent), [id, pattern]);

test("the page fits and is accessible at every size", async () => {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of ["light", "dark"]) {
      const { page, close } = await open(`/analysis?game=${game.id}&turn=20`, { viewport, colorScheme });
      await page.locator("#start-review").click();
      await page.locator("#curve svg").waitFor();
      await said(page, "verdict", "%|wins");
      await fits(page, size);
      await isClean(page, `${size}, ${colorScheme}`);
      await shoot(page, `analysis-${size}-${colorScheme}`);
      await page.screenshot({ path: `${SHOTS}analysis-${size}-${colorScheme}-full.png`, fullPage: true });
      await close();
    }
  }
});

test("the board is whole and the controls are in sight on a phone", async () => {
  for (const size of ["phone", "aside"]) {
    const { page, close } = await open(`${FREE}&moves=h8i9`, { viewport: SIZES[size] });
    for (const id of ["#frame", "[data-go=last]"]) {
      const box = await page.locator(id).boundingBox();
      assert.ok(box.y >= 0 && box.y + box.height <= SIZES[size].height, `${id} on ${size}: ${JSON.stringify(box)}`);
    }
    await close();
  }
});

test("stones are placed, taken back and varied, and the address holds the position", async () => {
  const { page, close } = await open(FREE);
  for (const name of ["h8", "i9", "j7"]) await spot(page, name).click();
  await described(page, "with 3 stones. Black: h8, j7. White: i9. Last move: j7");
  assert.ok(page.url().endsWith("?ruleset=renju_free&moves=h8i9j7"), page.url());
  await page.keyboard.press("ArrowLeft");
  await page.locator('[data-go="back"]').click();
  await described(page, "with one stone");
  await spot(page, "g9").click();
  await described(page, "White: g9");
  assert.ok(page.url().endsWith("moves=h8g9"), page.url());
  assert.deepEqual(await page.locator(".tree .variation button").allTextContents(), ["2g9"]);
  await page.locator(".tree button", { hasText: "j7" }).click();
  await described(page, "Last move: j7");
  assert.ok(page.url().endsWith("moves=h8i9j7"), page.url());
  await page.reload();
  await described(page, "Last move: j7");
  await page.locator('[data-go="first"]').click();
  await described(page, "without stones");
  await close();
});

test("the board is used with the keyboard alone", async () => {
  const { page, close } = await open(FREE);
  await spot(page, "h8").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+Tab");
  for (const key of ["ArrowRight", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await described(page, "Black: i9");
  await close();
});

test("a finger places a stone with the second tap", async () => {
  const { page, close } = await open(FREE, { viewport: PHONE, hasTouch: true, isMobile: true });
  await spot(page, "i9").tap();
  await said(page, "status", "^Tap i9 again to place it\\.$");
  await spot(page, "h8").tap();
  await spot(page, "h8").tap();
  await described(page, "with one stone. Black: h8");
  await close();
});

test("a variation is deleted", async () => {
  const { page, close } = await open(`/analysis?game=${game.id}&turn=20&moves=a1b1`);
  await described(page, "Last move: b1");
  assert.equal(await page.locator(".tree .variation button").count(), 2);
  await page.locator("#cut").click();
  assert.equal(await page.locator(".tree .variation").count(), 0);
  assert.ok(page.url().endsWith(`?game=${game.id}&turn=20`), page.url());
  await close();
});

test("the referee marks Black's forbidden points whoever is to move, and a foul loses", async () => {
  const { page, close } = await open(`${FREE}&moves=${DOUBLE_THREE}`);
  await described(page, "Forbidden to the other colour: i8 (double-three)");
  assert.equal(await page.locator("#frame .forbidden.later text").textContent(), "33");
  assert.equal(await spot(page, "i8").getAttribute("aria-label"), "i8, double-three for black");
  await spot(page, "o1").click();
  await described(page, "Forbidden: i8 (double-three)");
  await spot(page, "i8").click();
  await said(page, "status", "^White wins: double-three\\.$");
  assert.equal(await spot(page, "a2").getAttribute("aria-disabled"), "true");
  await close();
});

test("where a double-three is rejected the stone is not placed", async () => {
  const { page, close } = await open("/analysis?ruleset=gomoku_capture&moves=h8a1g8a3i9a5i10a9");
  await spot(page, "i8").click();
  await said(page, "trouble", "double-three");
  await described(page, "with 8 stones");
  await close();
});

test("wins by fours are shown as ghost stones, and the line can be played", async () => {
  const { page, close } = await open(`${FREE}&moves=${FOURS}`);
  await said(page, "fours", "Black wins by fours: ");
  await page.locator("#frame .black.ghost").waitFor({ state: "attached" });
  await page.locator("#ghosts").uncheck();
  assert.equal(await page.locator("#frame .ghost").count(), 0);
  await page.locator("#fours .ply").first().click();
  await described(page, "with 7 stones");
  await close();
});

test("the engine thinks longer and longer, and names the best line", async () => {
  const { page, close } = await open(`${FREE}&moves=h8i9j7`);
  await said(page, "verdict", "^(Black|White) \\d+ %$");
  await said(page, "best", "^Best line: [a-o]\\d");
  await page.waitForFunction(() => Number(document.getElementById("effort").textContent.replace(/^.*, |\D+$/g, "").replace(",", "")) > 10_000);
  await page.locator("#thinking").uncheck();
  await said(page, "verdict", "^Off\\.$");
  await close();
});

test("a finished game is reviewed in the browser", async () => {
  const { page, close } = await open(`/analysis?game=${game.id}&turn=9`);
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.locator("#start-review").click();
  await page.locator("#curve svg").waitFor({ timeout: 30_000 });
  await said(page, "reviewed", "^Accuracy: Black (\\d+ %|had)");
  assert.ok((await page.locator("#mistakes button").count()) > 0, "bots that play near the middle make mistakes");
  assert.ok((await page.locator(".tree em").count()) > 0);
  await page.locator("#mistakes button").first().click();
  const box = await page.locator("#curve svg").boundingBox();
  await page.mouse.click(box.x + box.width - 1, box.y + 20);
  const stones = game.view.moves.filter((move) => move.point).length;
  await said(page, "count", `^${stones} of ${stones}$`);
  const elsewhere = asked.filter((url) => !url.includes("/assets/"));
  assert.deepEqual(elsewhere, [], "the server is asked for nothing but the worker");
  await close();
});

test("the game page leads to its analysis at the shown turn", async () => {
  const { page, close } = await open(`/analysis?game=${game.id}`);
  await page.goto(`${server.base}/game/${game.id}?turn=9`);
  await page.getByRole("link", { name: "Analyse" }).click();
  await page.locator("#analysis[data-ready]").waitFor();
  assert.ok(page.url().endsWith(`/analysis?game=${game.id}&turn=9`), page.url());
  await close();
});

test("without scripts the position is drawn by the server", async () => {
  const { page, close } = await open(`${FREE}&moves=h8+keep+i9`, { javaScriptEnabled: false });
  assert.match(await page.locator("#frame desc").textContent(), /with 2 stones. Black: h8. White: i9/);
  assert.match(await page.locator("noscript").textContent(), /h8 i9/);
  assert.equal(await page.locator("#status").textContent(), "Black to move.");
  await close();
});

test("an address that names no position is refused with a sentence", async () => {
  for (const [query, why] of [
    ["ruleset=chess", /There is no ruleset/],
    ["ruleset=renju_free&moves=h8h8", /Stone 2 \(h8\): h8 is occupied/],
    ["ruleset=renju_free&moves=h8dance", /is not a point/],
    ["ruleset=renju_free&size=19", /not played on a 19×19 board/],
    ["game=nothing", /./],
  ]) {
    const reply = await fetch(`${server.base}/analysis?${query}`, { headers: { accept: "text/html" } });
    assert.ok([400, 404].includes(reply.status), query);
    assert.match(await reply.text(), why);
  }
});
