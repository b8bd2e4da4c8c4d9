// Sharing, the author's page, the lessons, the openings and the puzzle in a real browser.

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { Arena, nearTheMiddle, play } from "./bots.mjs";
import { SHOTS, SIZES, fits, isClean, openPage, shoot } from "./pages.mjs";
import { startArena, startBrowser } from "./server.mjs";

let server;
let browser;
let arena;
let ada; // an agent with games
let over; // a finished game

before(async () => {
  server = await startArena();
  browser = await startBrowser();
  arena = new Arena(server.base);
  ada = await arena.register("ada", "counts to five");
  const bob = await arena.register("bob");
  for (const seed of [7, 8]) {
    over = await arena.seat(ada, bob);
    await play(ada, bob, over, 300, nearTheMiddle(seed));
  }
  await mkdir(SHOTS, { recursive: true });
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const open = (path, options) => openPage(browser, server.base, path, options);

const PAGES = () => [
  ["rules", "/rules", "Learn Renju"],
  ["ruleset", "/rules?ruleset=renju_taraguchi10_international", "Taraguchi-10"],
  ["openings", "/openings", "The 26 openings"],
  ["puzzle", "/puzzle", "Puzzle of the day"],
  ["me", "/me", "Your agent"],
  ["embed", `/embed/${over}`, "ada"],
];

for (const [size, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of ["light", "dark"]) {
    test(`every page fits and is accessible: ${size}, ${colorScheme}`, async () => {
      for (const [name, path, heading] of PAGES()) {
        const { page, close } = await open(path, { viewport, colorScheme });
        const title = await page.locator("h1").first().textContent();
        assert.ok(title.includes(heading), `${path}: ${title}`);
        await fits(page, path);
        await isClean(page, `${path} (${size}, ${colorScheme})`);
        await shoot(page, `learn-${name}-${size}-${colorScheme}`);
        await close();
      }
    });
  }
}

test("the theme can be chosen, is kept and does not flash", async () => {
  const { page, close } = await open("/rules", { colorScheme: "light" });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.getByLabel("Theme").selectOption("dark");
  const dark = await paper();
  assert.notEqual(dark, light);
  await page.goto(`${server.base}/openings`, { waitUntil: "commit" });
  // The first frame that is drawn is dark already: the script runs before the body is parsed.
  await page.waitForFunction(() => document.body);
  assert.equal(await paper(), dark);
  assert.equal(await page.getByLabel("Theme").inputValue(), "dark");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.getByLabel("Theme").selectOption("light");
  assert.equal(await paper(), light);
  await page.getByLabel("Theme").selectOption("system");
  assert.equal(await paper(), dark);
  await close();
});

test("a shared link has a card with names, and other sites can embed the game", async () => {
  const { page, close } = await open(`/game/${over}`);
  const meta = (name) => page.locator(`meta[property="${name}"], meta[name="${name}"]`).getAttribute("content");
  assert.equal(await meta("twitter:card"), "summary_large_image");
  const image = await meta("og:image");
  const card = await page.request.get(image);
  assert.equal(card.headers()["content-type"], "image/png");
  const png = await card.body();
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1200, 630]);
  await writeFile(`${SHOTS}card.png`, png);
  await writeFile(`${SHOTS}card-site.png`, await (await page.request.get(`${server.base}/card.png`)).body());
  const discovery = await page.locator('link[type="application/json+oembed"]').getAttribute("href");
  const oembed = await (await page.request.get(discovery)).json();
  assert.equal(oembed.type, "rich");
  assert.equal(oembed.title, await page.locator("h1").first().textContent());
  await close();

  // A page of another origin shows the frame.
  const other = createServer((_, reply) => reply.setHeader("content-type", "text/html").end(`<title>other</title>${oembed.html}`));
  await new Promise((done) => other.listen(0, "127.0.0.1", done));
  const context = await browser.newContext();
  const site = await context.newPage();
  await site.goto(`http://127.0.0.1:${other.address().port}/`);
  const frame = site.frameLocator("iframe");
  await frame.locator("svg.board").waitFor();
  assert.match(await frame.locator(".sides").textContent(), /ada/);
  await context.close();
  other.close();
});

test("only the embedded game may be framed", async () => {
  for (const [path, ancestors] of [["/", "'none'"], ["/me", "'none'"], [`/game/${over}`, "'none'"], [`/embed/${over}`, "*"]]) {
    const reply = await fetch(server.base + path);
    assert.ok(reply.headers.get("content-security-policy").endsWith(`frame-ancestors ${ancestors}`), path);
  }
});

test("pages without a game have a picture too", async () => {
  for (const path of ["/", "/ranking", "/agent/ada", "/rules", "/openings", "/puzzle"]) {
    const { page, close } = await open(path);
    const image = await page.locator('meta[property="og:image"]').getAttribute("content");
    assert.equal(image, `${server.base}/card.png`, path);
    await close();
  }
});

test("the page of openings shows how games with each of them ended", async () => {
  const { games } = await arena.call("GET", "/games?status=finished&limit=50");
  const wanted = {};
  for (const { game_id: id } of games) {
    const { opening, result } = await arena.call("GET", `/games/${id}`);
    if (!opening) continue;
    const ends = wanted[opening.name] ??= { black: 0, white: 0 };
    ends[result.winner] += 1;
  }
  assert.ok(Object.keys(wanted).length > 0, "the games have openings with names");
  const { page, close } = await open("/openings");
  for (const [name, { black, white }] of Object.entries(wanted)) {
    const link = page.locator(`.sheet li:has(.name:text-is("${name}")) .results`);
    assert.match(await link.textContent(), new RegExp(`^\\s*${black} won by Black,\\s*${white} won by White,`));
    await link.click();
    assert.equal(await page.locator(".row").count(), black + white);
    await page.goBack();
  }
  assert.equal(await page.locator(".results").count(), Object.keys(wanted).length);
  await close();
});

test("a lesson answers a click with the verdict and the proof", async () => {
  const { page, close } = await open("/rules#three");
  const lesson = page.locator("section.lesson", { has: page.locator("#three") });
  await lesson.getByRole("button", { name: "h8", exact: true }).click();
  await lesson.getByText("h8 is forbidden: it makes a double-three.").waitFor();
  await lesson.getByText("g8 h8 i8 is an open three").waitFor();
  assert.equal(await lesson.locator("svg .proof").count(), 2);
  const hollow = page.locator("section.lesson", { has: page.locator("#hollow") });
  await hollow.getByRole("button", { name: "h8", exact: true }).click();
  await hollow.getByText("e8 g8 h8 is not a three: f8 would make a straight four, but it is an overline.").waitFor();
  // Arrow keys move between the points.
  await lesson.getByRole("button", { name: "h8", exact: true }).focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await lesson.getByText("h10 is allowed.").waitFor();
  await close();
});

test("lessons, openings and puzzles can be read without scripts", async () => {
  const rules = await open("/rules", { javaScriptEnabled: false });
  assert.equal(await rules.page.locator(".lesson svg.board").count(), 7);
  await rules.page.locator("summary").first().click();
  await rules.page.getByText("d8 e8 f8 g8 h8 are five").waitFor();
  await rules.close();
  const openings = await open("/openings", { javaScriptEnabled: false });
  assert.equal(await openings.page.locator(".sheet li").count(), 26);
  assert.match(await openings.page.locator('[id="4D"]').textContent(), /花月Kagetsu/);
  await openings.close();
  const puzzle = await open("/puzzle", { javaScriptEnabled: false });
  await puzzle.page.locator("summary").click();
  assert.match(await puzzle.page.locator("details p").textContent(), /^[a-o]\d+ [a-o]\d+/);
  await puzzle.close();
});

test("the solution of a puzzle solves it, and a quiet stone does not", async () => {
  for (const number of [1, 2, 3]) {
    const { page, close } = await open(`/puzzle?number=${number}`);
    const line = (await page.locator("details p").textContent()).trim().split(" ");
    const told = page.locator("[data-told]");
    await told.getByText("Black to move").waitFor();
    const stones = await page.locator(".try").getAttribute("data-board");
    const corner = ["a1", "o15", "o1", "a15"].find((point) => {
      const [x, y] = [point.charCodeAt(0) - 97, Number(point.slice(1)) - 1];
      return stones[15 * y + x] === "." && !line.includes(point);
    });
    await page.locator(`[data-point="${corner}"]`).click();
    await told.getByText("makes no four").waitFor();
    for (const [index, point] of line.entries()) {
      if (index % 2 === 1) {
        await told.getByText(`White must answer at ${point}.`).waitFor();
        continue;
      }
      await page.locator(`[data-point="${point}"]`).click();
    }
    await told.getByText(`Solved with ${(line.length + 1) / 2} stones.`).waitFor();
    await close();
  }
});

test("an author sees the agent by its key, and the key stays in the browser", async () => {
  const { page, close } = await open("/me", { allow: [/401/] });
  await page.getByLabel("API key").fill("rk1_wrong");
  await page.getByRole("button", { name: "Show my agent" }).click();
  await page.locator("#trouble:not(:empty)").waitFor();
  await page.getByLabel("API key").fill(ada.key);
  await page.getByRole("button", { name: "Show my agent" }).click();
  await page.getByRole("heading", { name: "ada" }).waitFor();
  await page.locator("#now", { hasText: "Idle." }).waitFor();
  await page.locator("#games tbody tr").nth(1).waitFor();
  assert.equal(await page.locator("#games tbody tr").count(), 2);
  assert.match(await page.locator("#pairs tbody").textContent(), /bob/);
  assert.ok(await page.locator("#time meter").count() > 3);
  assert.match(await page.locator("#ratings tbody").textContent(), /Taraguchi-10/);
  assert.match(await page.locator("#refusals").textContent(), /401/);
  assert.ok((await page.locator("#markdown").textContent()).includes(`${server.base}/agents/ada/badge.svg`));
  await page.waitForFunction(() => document.getElementById("badge").naturalWidth > 60);
  await isClean(page, "/me with a key");
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    await fits(page, `/me with a key, ${size}`);
    await page.screenshot({ path: `${SHOTS}learn-author-${size}.png`, fullPage: true });
  }

  await page.getByLabel("A line about it").fill("counts to six");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  assert.equal((await arena.call("GET", "/agents/ada")).bio, "counts to six");

  page.on("dialog", (dialog) => dialog.accept());
  await page.getByRole("button", { name: "Get a new key" }).click();
  await page.locator("#fresh:not([hidden])").waitFor();
  const fresh = await page.locator("#fresh").textContent();
  assert.notEqual(fresh, ada.key);
  await page.getByRole("button", { name: "End the old key now" }).click();
  await page.locator("#revoke").waitFor({ state: "hidden" });
  ada.key = fresh;
  await page.reload();
  await page.getByRole("heading", { name: "ada" }).waitFor();
  assert.equal(await page.evaluate(() => localStorage.length), 0, "kept for this tab only");

  await page.locator('#join [name="house"]').selectOption("0");
  await page.getByRole("button", { name: "Join the queue" }).click();
  await page.locator("#now", { hasText: "Playing" }).waitFor({ timeout: 20_000 });
  const { active_game: game } = await ada.get("/queue");
  assert.equal(await page.locator("#now a").getAttribute("href"), `/game/${game}`);
  await arena.call("POST", `/games/${game}/resign`, ada.key, { idempotency_key: "done" });
  await page.getByRole("button", { name: "Forget the key" }).click();
  await page.getByLabel("API key").waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  await close();
});

test("crawlers and home screens find what they look for", async () => {
  const get = async (path) => {
    const reply = await fetch(server.base + path);
    assert.equal(reply.status, 200, path);
    return [reply.headers.get("content-type"), await reply.text()];
  };
  assert.ok((await get("/robots.txt"))[1].includes(`Sitemap: ${server.base}/sitemap.xml`));
  const [, sitemap] = await get("/sitemap.xml");
  const pages = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url);
  assert.ok(pages.length > 10);
  for (const url of pages) assert.equal((await fetch(url)).status, 200, url);
  assert.equal(JSON.parse((await get("/site.webmanifest"))[1]).name, "Renju Arena");
  assert.equal((await get("/favicon.ico"))[0], "image/svg+xml");
  assert.match((await get("/agents/ada/badge.svg"))[1], /ada 1\d\d\d/);
  assert.match((await get("/agents/house-3/badge.svg"))[1], /house-3 \d+/);
});
