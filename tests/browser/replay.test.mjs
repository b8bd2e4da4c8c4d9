// The page of a game in a real browser: live, replayed, with its fouls and captures.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { after, before, test } from "node:test";
import { Arena, nearTheMiddle, play, script } from "./bots.mjs";
import { SHOTS, SIZES, PHONE, fits, isClean, openPage, shoot } from "./pages.mjs";
import { startArena, startBrowser } from "./server.mjs";

let server;
let browser;
let arena;
let over; // a finished game with an opening
let live; // a game that goes on, and its two players
let foul; // a game that a double-three ended
let survived; // a game with captures that a five won only after a reply

before(async () => {
  server = await startArena();
  browser = await startBrowser();
  arena = new Arena(server.base);
  const [kaya, hinoki, goishi, shiro, tengen, hoshi] = await Promise.all(
    ["kaya", "hinoki", "goishi", "shiro", "tengen", "hoshi"].map((name) => arena.register(name)));
  const id = await arena.seat(kaya, hinoki);
  over = { id, view: await play(kaya, hinoki, id, 300, nearTheMiddle(7)) };
  const on = await arena.seat(goishi, shiro);
  await play(goishi, shiro, on, 34, nearTheMiddle(3));
  live = { id: on, players: [goishi, shiro], choose: nearTheMiddle(5) };
  foul = await script(arena, tengen, hoshi, await arena.seat(tengen, hoshi, "renju_free"), "h8 a1 g8 a3 i9 a5 i10 o1 i8");
  // Black captures a pair; later it makes a five that h9 could break, and White plays elsewhere.
  survived = await script(arena, tengen, hoshi, await arena.seat(tengen, hoshi, "gomoku_capture"),
    "j4 k4 a19 l4 m4 h12 h11 a1 f10 a3 g10 a5 i10 c1 j10 e1 h10 s19");
  await mkdir(SHOTS, { recursive: true });
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const open = (path, options) => openPage(browser, server.base, path, options);
const stonesAt = (view, turn) => view.moves.slice(0, turn).filter((move) => move.point).length;
const desc = (page) => page.locator("#frame desc").textContent();

// Checks the counter, the picture and its words after this number of decisions.
async function isAt(page, { view }, turn) {
  const [stones, total] = [stonesAt(view, turn), stonesAt(view, view.turn_number)];
  await page.waitForFunction((text) => document.getElementById("count").textContent === text, `${stones} of ${total}`);
  const seen = await page.locator("#frame [data-stone]:not([display])").count();
  assert.equal(seen, stones);
  // The stones are painted, not only there.
  const painted = await page.locator("#frame [data-stone]:not([display]) path:not(.shade)").evaluateAll((paths) =>
    paths.filter((path) => getComputedStyle(path).strokeWidth === "28px" && getComputedStyle(path).stroke !== "none").length);
  assert.equal(painted, stones);
  const told = stones === 0 ? "without stones" : stones === 1 ? "with one stone" : `with ${stones} stones`;
  assert.ok((await desc(page)).includes(told), await desc(page));
}

test("a game is replayed with keys, buttons and links", async () => {
  const { page, close } = await open(`/game/${over.id}`);
  const turns = over.view.turn_number;
  await isAt(page, over, turns);
  assert.equal(await page.locator(".moves b").last().textContent(), String(stonesAt(over.view, turns)), "the list counts as the board does");
  await page.keyboard.press("ArrowLeft");
  await isAt(page, over, turns - 1);
  await page.keyboard.press("Home");
  await isAt(page, over, 0);
  for (let turn = 1; turn <= 5; turn += 1) await page.keyboard.press("ArrowRight");
  await isAt(page, over, 5);
  await page.waitForURL(/\?turn=5$/);
  assert.ok((await page.locator("[data-picture]").first().getAttribute("href")).endsWith(".svg?turn=5"), "the picture is the one shown");
  const move = over.view.moves[4];
  assert.ok((await page.locator("#said").textContent()).includes(move.point ? move.point.name : move.kind === "keep" ? "keeps" : "swaps"));
  await page.reload();
  await isAt(page, over, 5);
  await page.locator('[data-go="back"]').click();
  await isAt(page, over, 4);
  await page.locator('.moves a[href="?turn=9"]').click();
  await isAt(page, over, 9);
  await page.keyboard.press("End");
  await isAt(page, over, turns);
  await close();
});

test("a game can be replayed without scripts", async () => {
  const { page, close } = await open(`/game/${over.id}`, { javaScriptEnabled: false });
  await page.locator('[data-go="first"]').click();
  assert.match(await desc(page), /without stones/);
  assert.equal(await page.locator("#frame [data-stone]:not([display])").count(), 0);
  await page.locator('[data-go="on"]').click();
  assert.match(await desc(page), /with one stone/);
  assert.equal(await page.locator("#frame [data-stone]:not([display])").count(), 1);
  assert.ok(await page.locator("#auto").isHidden(), "nothing is offered that needs a script");
  await close();
});

test("thirty steps on a slow line show stone thirty at once, without a request", async () => {
  const { page, context, close } = await open(`/game/${over.id}?turn=0`);
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.emulateNetworkConditions", { offline: false, latency: 300, downloadThroughput: -1, uploadThroughput: -1 });
  await page.waitForLoadState("networkidle");
  let requests = 0;
  // The browser may fetch the icon again when the address changes.
  page.on("request", (request) => { if (!request.url().includes("/assets/icon")) requests += 1; });
  const steps = Math.min(30, over.view.turn_number);
  await page.evaluate(() => {
    window.slowest = 0;
    document.addEventListener("keydown", () => {
      const began = performance.now();
      requestAnimationFrame(() => { window.slowest = Math.max(window.slowest, performance.now() - began); });
    }, true);
  });
  for (let step = 0; step < steps; step += 1) await page.keyboard.press("ArrowRight");
  const seen = await page.locator("#frame [data-stone]:not([display])").count();
  assert.equal(seen, stonesAt(over.view, steps));
  const last = over.view.moves.slice(0, steps).findLast((move) => move.point);
  assert.ok((await desc(page)).includes(`Last move: ${last.point.name}.`));
  const slowest = await page.evaluate(() => window.slowest);
  console.log(`${steps} steps at 300 ms latency: slowest frame ${slowest.toFixed(0)} ms, ${requests} requests`);
  assert.equal(requests, 0);
  assert.ok(slowest < 250, `${slowest} ms`);
  await close();
});

test("the list follows the moves, and the page does not scroll", async () => {
  const { page, close } = await open(`/game/${over.id}`);
  const inSight = () => page.evaluate(() => {
    const [move, list] = [document.querySelector(".moves [aria-current]"), document.querySelector(".moves")].map((part) => part.getBoundingClientRect());
    return move.top >= list.top - 1 && move.bottom <= list.bottom + 1;
  });
  assert.ok(await inSight(), "the last move of a long game is in sight at once");
  for (const key of ["Home", "ArrowRight", "End", "ArrowLeft"]) {
    await page.keyboard.press(key);
    if (key !== "Home") assert.ok(await inSight(), key);
  }
  for (let turn = 0; turn < over.view.turn_number; turn += 7) {
    await page.evaluate((to) => document.querySelector(`.moves a[href="?turn=${to}"]`)?.click(), turn);
    if (turn) assert.ok(await inSight(), `turn ${turn}`);
  }
  assert.equal(await page.evaluate(() => scrollY), 0);
  await close();
});

test("moves play by themselves, by the wheel and by a finger; numbers can be hidden", async () => {
  const { page, close } = await open(`/game/${over.id}?turn=2`, { hasTouch: true });
  await page.keyboard.press("Space");
  assert.equal(await page.locator("#auto").getAttribute("aria-pressed"), "true");
  await isAt(page, over, 4);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.locator("#auto").getAttribute("aria-pressed"), "false", "a step stops it");
  await page.keyboard.press("Home");
  await page.locator(".replay").hover();
  for (let turn = 0; turn < 3; turn += 1) await page.mouse.wheel(0, 100);
  await isAt(page, over, 3);
  const drag = (from, to) => page.locator("#frame").evaluate((frame, [a, b]) => {
    const fire = (type, x) => frame.dispatchEvent(new PointerEvent(type, { pointerType: "touch", clientX: x, bubbles: true }));
    fire("pointerdown", a);
    const step = Math.sign(b - a) * 10;
    for (let x = a; Math.abs(x - b) >= 10; x += step) fire("pointermove", x);
    fire("pointermove", b);
    fire("pointerup", b);
  }, [from, to]);
  await drag(300, 240); // two steps on
  await isAt(page, over, 5);
  await drag(240, 270); // one back
  await isAt(page, over, 4);
  const number = page.locator("#frame [data-stone]:not([display]) .number").first();
  assert.ok(await number.isVisible());
  await page.locator("#numbers").click();
  assert.ok(await number.isHidden());
  await close();
});

test("a live game advances without a reload", async () => {
  const { page, close } = await open(`/game/${live.id}`);
  await page.evaluate(() => { window.untouched = true; });
  const before = Number((await page.locator(".moves [aria-current]").getAttribute("href")).slice("?turn=".length));
  const view = await play(...live.players, live.id, before + 1, live.choose);
  const told = `Last move: ${view.moves.at(-1).point.name}.`;
  await page.waitForFunction((text) => document.querySelector("#frame desc").textContent.includes(text), told, { timeout: 15_000 });
  await isAt(page, { view }, before + 1);
  assert.equal(await page.locator(".moves [aria-current]").getAttribute("href"), `?turn=${before + 1}`);
  assert.ok(await page.evaluate(() => window.untouched), "the page was not loaded again");
  assert.match(await page.locator(".clock:not(.idle)").textContent(), /^[0-5]:\d\d$/);
  assert.equal(await page.locator(".clock").count(), 2, "both rows have a clock, so that they do not jump");
  await close();
});

test("a foul is told to people, and its exact proof is kept", async () => {
  const { page, close } = await open(`/game/${foul.id}`);
  const card = page.locator('section[aria-labelledby="why"]');
  assert.match(await card.locator("p").innerText(), /^Double-three: forbidden for Black\. A stone on i8 makes two open threes at once: g8 h8 i8 and i8 i9 i10\./);
  assert.ok(await card.locator("pre").isHidden());
  await card.locator("summary").click();
  assert.match(await card.locator("pre").innerText(), /straight four by/);
  assert.ok(await page.locator("#frame .proof").count() >= 2);
  await page.keyboard.press("ArrowLeft");
  assert.ok(await page.locator("#frame .proof").first().isHidden(), "the proof belongs to the last stone");
  await shoot(page, "game-foul");
  await close();
});

test("captures leave a trace and are in the list; a five that survived is explained", async () => {
  const { page, close } = await open(`/game/${survived.id}`);
  assert.match(await page.locator(".status").innerText(), /won: five in a row, which \w+ \(white\) could not break by a capture\./);
  const taking = survived.view.moves.find((move) => move.captured?.length);
  const link = page.locator(`.moves a[href="?turn=${taking.turn_number + 1}"]`);
  assert.match(await link.innerText(), /×2/);
  assert.match(await link.getAttribute("title"), /captures/);
  await link.click();
  const traces = () => page.locator("#frame :not([display]) > .taken").count();
  assert.equal(await traces(), 2);
  await shoot(page, "game-capture");
  await page.keyboard.press("ArrowRight");
  assert.equal(await traces(), 0);
  await close();
});

test("a game has a date, a length and the ratings after it; only real choices are listed", async () => {
  const { page, close } = await open(`/game/${over.id}`);
  assert.match(await page.locator(".heading time").textContent(), /^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
  assert.match(await page.locator(".heading").innerText(), /UTC, \d+ (s|min)/);
  for (const rating of await page.locator(".rating").allInnerTexts()) assert.match(rating, /^\d+ → \d+/);
  const choices = await page.locator(".timeline li").allInnerTexts();
  assert.ok(choices.length > 0 && choices.every((words) => !/places|keeps/.test(words)), choices.join("; "));
  await close();
});

test("a game leads to the games before and after it of the same two", async () => {
  const { page, close } = await open(`/game/${foul.id}`);
  await page.getByRole("link", { name: "Next ›" }).click();
  assert.ok(page.url().endsWith(`/game/${survived.id}`), page.url());
  await page.getByRole("link", { name: "‹ Previous" }).click();
  assert.ok(page.url().endsWith(`/game/${foul.id}`), page.url());
  // There is none before the first: the list of their games is shown.
  await page.getByRole("link", { name: "‹ Previous" }).click();
  await page.waitForURL(/\/archive\?agent=\w+&opponent=\w+$/);
  assert.equal(await page.locator(".row").count(), 2);
  await close();
});

test("spectators see the steps of an opening that is played", async () => {
  const [one, other] = [await arena.register("opener"), await arena.register("chooser")];
  const id = await arena.seat(one, other);
  await play(one, other, id, 3, nearTheMiddle(3));
  const { page, close } = await open(`/game/${id}`);
  const steps = () => page.locator(".strip li").evaluateAll((items) => items.map((item) => [item.className, item.ariaCurrent]));
  const shown = await steps();
  assert.equal(shown.length, 10);
  assert.deepEqual(shown.map(([, current]) => current === "step"), shown.map((_, n) => n === 3));
  assert.equal(shown.filter(([name]) => name.includes("done")).length, 3);
  await play(one, other, id, 4, nearTheMiddle(3));
  await page.waitForFunction(() => document.querySelectorAll(".strip .done").length === 4, null, { timeout: 15_000 });
  await close();
  const ended = await open(`/game/${live.id}`);
  assert.equal(await ended.page.locator(".strip").count(), 0, "the opening is over");
  await ended.close();
});

test("an end away from the board says who caused it", async () => {
  const hasty = await startArena("--turn-seconds", "2", "--grace-seconds", "1");
  const quick = new Arena(hasty.base);
  const [one, other] = [await quick.register("absent-one"), await quick.register("absent-two")];
  const id = await quick.seat(one, other, "renju_free");
  const { to_act: absent } = await one.get(`/games/${id}`);
  const { page, close } = await openPage(browser, hasty.base, `/game/${id}`);
  await page.waitForFunction(() => document.querySelector(".status").textContent.includes("did not show up"), null, { timeout: 30_000 });
  assert.equal((await page.locator(".status").textContent()).split(":")[0], `${absent.name} (black) did not show up`);
  await close();
  await hasty.stop();
  const [three, four] = [await arena.register("resigning"), await arena.register("staying")];
  const resigned = await arena.seat(three, four, "renju_free");
  await script(arena, three, four, resigned, "h8 i9");
  await arena.call("POST", `/games/${resigned}/resign`, three.key, { idempotency_key: "resign" });
  const game = await open(`/game/${resigned}`);
  assert.match(await game.page.locator(".status").textContent(), /^staying \(\w+\) won: resigning \(\w+\) resigned\./);
  await game.close();
});

for (const [size, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of ["light", "dark"]) {
    test(`the page fits, shows the whole board and is accessible: ${size}, ${colorScheme}`, async () => {
      for (const [name, { id }] of Object.entries({ over, live, foul, survived })) {
        const { page, close } = await open(`/game/${id}`, { viewport, colorScheme });
        await fits(page, name);
        const board = await page.locator("#frame svg").evaluate((svg) => svg.getBoundingClientRect());
        assert.ok(board.top >= 0 && board.bottom <= viewport.height, `${name}: ${JSON.stringify(board)}`);
        const controls = await page.locator(".replay").evaluate((nav) => nav.getBoundingClientRect());
        assert.ok(controls.bottom <= viewport.height, `${name}: controls end at ${controls.bottom}`);
        await isClean(page, `${name} (${size}, ${colorScheme})`);
        await shoot(page, `game-${name}-${size}-${colorScheme}`);
        await close();
      }
    });
  }
}
