// Polls the page at the interval it states, with its ETag, and changes what changed. An element that stays
// keeps its focus and its scroll position. A hidden page does not poll.

const root = document.querySelector("[data-poll-ms]");
const MS_MAX = 30_000;
let known = null;
let failures = 0;

// Two nodes with the same key are the same thing at two times.
const key = (node) => node.dataset?.key ?? node.id ?? "";
// Scripts count these on, from an attribute.
const counts = (node) => node.dataset?.deadline ?? (node.dataset?.ago !== undefined ? node.dateTime : undefined);

function patch(old, next) {
  if (old.isEqualNode(next)) return;
  if (old.nodeName !== next.nodeName || key(old) !== key(next) || old.nodeName === "svg") {
    old.replaceWith(next);
    return;
  }
  if (old.nodeType === Node.TEXT_NODE) {
    old.data = next.data;
    return;
  }
  if (counts(old) !== undefined && counts(old) === counts(next)) return;
  for (const { name } of [...old.attributes]) if (!next.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of next.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  patchChildren(old, [...next.childNodes]);
}

function patchChildren(old, wanted) {
  const keyed = new Map([...old.children].filter(key).map((child) => [key(child), child]));
  const stay = new Set(wanted.map(key));
  for (const [name, child] of keyed) if (!stay.has(name)) child.remove();
  wanted.forEach((next, index) => {
    const here = old.childNodes[index];
    const same = keyed.get(key(next)) ?? (here && !key(here) ? here : null);
    if (!same || (key(next) && !keyed.has(key(next)))) {
      old.insertBefore(next, here ?? null);
      return;
    }
    if (same !== here) old.insertBefore(same, here);
    patch(same, next);
  });
  while (old.childNodes.length > wanted.length) old.lastChild.remove();
}

// Moving an element takes its focus; if it is gone, its part of the page gets it.
function keepFocus(part, change) {
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  change();
  if (!focused || focused === document.activeElement) return;
  const heading = part.querySelector("h1, h2");
  if (!focused.isConnected && heading) heading.tabIndex = -1;
  (focused.isConnected ? focused : heading)?.focus({ preventScroll: true });
}

function change(fresh) {
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = fresh.querySelector(`[data-live="${part.dataset.live}"]`);
    if (next) keepFocus(part, () => patch(part, document.adoptNode(next)));
  }
  document.dispatchEvent(new Event("patched"));
}

async function look() {
  const reply = await fetch(root.dataset.source, { cache: "no-cache", headers: { accept: "text/html" } });
  if (!reply.ok) throw new Error(`server error (${reply.status})`);
  // The header has whole seconds: half a second has passed on average.
  const time = Date.parse(reply.headers.get("date")) + 500;
  if (time) document.dispatchEvent(new CustomEvent("server-time", { detail: time }));
  const tag = reply.headers.get("etag");
  if (tag === known) return;
  known = tag;
  const fresh = new DOMParser().parseFromString(await reply.text(), "text/html");
  const news = fresh.querySelector("[data-source]");
  change(fresh);
  root.dataset.pollMs = news.dataset.pollMs ?? 0;
  root.dispatchEvent(new CustomEvent("news", { detail: news }));
}

async function run() {
  try {
    if (!document.hidden) await look();
    failures = 0;
  } catch {
    failures += 1;
  }
  const ms = Number(root.dataset.pollMs);
  if (ms > 0) setTimeout(run, Math.min(MS_MAX, Math.max(1000, ms) * 2 ** failures));
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden && Number(root.dataset.pollMs) > 0) look().catch(() => {});
});
run();
