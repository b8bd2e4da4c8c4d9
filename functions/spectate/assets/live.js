// Polls the page at the interval it states, with its ETag, and replaces the parts that changed. A
// hidden page does not poll.

const root = document.querySelector("[data-poll-ms]");
const MS_MAX = 30_000;
let known = null;
let failures = 0;

function replace(fresh) {
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = fresh.querySelector(`[data-live="${part.dataset.live}"]`);
    if (next && next.innerHTML !== part.innerHTML) part.replaceWith(document.adoptNode(next));
  }
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
  replace(fresh);
  if (!news.dataset.pollMs) root.dataset.pollMs = 0;
  else root.dataset.pollMs = news.dataset.pollMs;
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
setTimeout(run, Math.max(1000, Number(root.dataset.pollMs)));
