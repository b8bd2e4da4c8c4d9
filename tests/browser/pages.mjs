// Pages in a window: what the tests of pages share.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const WIDE = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 664 };
export const ASIDE = { width: 844, height: 390 }; // a phone on its side
export const SIZES = { wide: WIDE, phone: PHONE, aside: ASIDE };
export const SHOTS = new URL("screenshots/", import.meta.url).pathname;

// A page in a window of its own; whatever the browser complains about fails the test when it is closed.
export async function openPage(browser, base, path, { allow = [], ...options } = {}) {
  const context = await browser.newContext({ viewport: WIDE, ...options });
  const page = await context.newPage();
  const complaints = [];
  const complain = (words) => { if (!allow.some((pattern) => pattern.test(words))) complaints.push(words); };
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complain(message.text());
  });
  page.on("pageerror", (error) => complain(String(error)));
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText;
    // The page was left while it asked, or it stopped waiting.
    if (why !== "net::ERR_ABORTED") complain(`${request.url()}: ${why}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(base)) complain(`${request.url()} is elsewhere`);
  });
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
  });
  await page.goto(base + path);
  return {
    page,
    context,
    async close() {
      await context.close();
      assert.deepEqual(complaints, [], path);
    },
  };
}

export const shoot = (page, name) => page.screenshot({ path: `${SHOTS}${name}.png` });

// Fails on what axe finds of these kinds.
export async function isAccessible(page, what, kinds = ["serious", "critical"]) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => axe.run(document));
  const found = violations.filter(({ impact }) => kinds.includes(impact));
  const told = found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 3).join(" ")}`);
  assert.deepEqual(told, [], `${what} is not accessible`);
}

// Fails on anything that axe finds.
export const isClean = (page, what) => isAccessible(page, what, ["minor", "moderate", "serious", "critical"]);

export async function fits(page, what) {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(overflow, 0, `${what} is wider than the window`);
}
