// The page of an agent's author. Everything is asked of the public API with the author's key, which
// stays in this browser.

const $ = (id) => document.getElementById(id);
const KEPT = "renju-arena-key";
const GAMES_MAX = 100; // rows of a page of games
const DECISIONS_MAX = 40;

let key = null;
let me = null;
let games = []; // the newest first
let next = null; // cursor of older games
let timed = null; // game and turn whose times are shown

// Storage may be blocked: then the key lives as long as the page.
function stored(act) {
  try {
    return act();
  } catch {
    return null;
  }
}
const keptKey = () => stored(() => sessionStorage.getItem(KEPT) ?? localStorage.getItem(KEPT));
const isInBrowser = () => stored(() => localStorage.getItem(KEPT)) !== null;

function keep(inBrowser) {
  forget();
  stored(() => (inBrowser ? localStorage : sessionStorage).setItem(KEPT, key));
}

function forget() {
  stored(() => sessionStorage.removeItem(KEPT));
  stored(() => localStorage.removeItem(KEPT));
}

const random = () => Array.from(crypto.getRandomValues(new Uint8Array(18)), (n) => n.toString(36)).join("");

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.map((child) => child ?? ""));
  return made;
}

async function call(method, path, body) {
  const headers = { authorization: `Bearer ${key}` };
  if (body) headers["content-type"] = "application/json";
  let reply;
  try {
    reply = await fetch(path, { method, headers, cache: "no-store", body: body && JSON.stringify(body) });
  } catch {
    throw new Error("the arena cannot be reached");
  }
  const view = await reply.json().catch(() => ({}));
  if (reply.ok) return view;
  const error = new Error(view.detail ?? `server error (${reply.status})`);
  error.status = reply.status;
  noteRefusal(`${reply.status} ${view.code ?? ""}`.trim(), `${method} ${path.split("?")[0]}: ${error.message}`);
  throw error;
}

function noteRefusal(code, words) {
  const list = $("refusals");
  if (!list.dataset.some) list.replaceChildren();
  list.dataset.some = "yes";
  const at = new Date().toLocaleTimeString();
  list.prepend(element("li", {}, element("span", { class: "soft" }, `${at} `), element("code", {}, code), ` ${words}`));
  while (list.children.length > 20) list.lastChild.remove();
}

// Runs an action of a button; an error is told and nothing else changes.
async function attempt(act) {
  $("trouble").textContent = "";
  try {
    await act();
  } catch (error) {
    $("trouble").textContent = `${error.message}.`;
  }
}

const when = (text) => new Date(text).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
const shortRules = (id) => document.querySelector(`#join option[value="${id}"]`)?.textContent ?? id;

function table(heads, rows) {
  const cell = (tag, value, index) => {
    const made = element(tag, index > 0 && typeof value === "number" ? { class: "num" } : {}, typeof value === "number" ? String(value) : value);
    if (tag === "th") made.setAttribute("scope", index === 0 && rows ? "row" : "col");
    return made;
  };
  const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
  const body = rows.map((row) => element("tr", {}, ...row.map((value, index) => cell(index === 0 ? "th" : "td", value, index))));
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
}

const none = (words) => element("p", { class: "soft" }, words);

// What the agent does now.

function showNow() {
  $("name").textContent = me.name;
  $("name").href = `/agent/${me.name}`;
  const now = $("now");
  const more = [];
  if (me.status === "playing") {
    now.replaceChildren("Playing ", element("a", { href: `/game/${me.active_game}` }, "this game"),
      me.your_turn ? ": it is your agent's turn." : ": the opponent is to act.");
    more.push(shortRules(me.ruleset), me.pool, me.rated ? "rated" : "not rated");
  } else if (me.status === "queued") {
    now.textContent = "Waiting for an opponent.";
    more.push(shortRules(me.ruleset), me.pool, `since ${when(me.queued_since)}`, `the ticket expires at ${when(me.ticket_expires_at)}`);
  } else {
    now.textContent = me.cool_down_until ? `Idle: it may join again after ${when(me.cool_down_until)}.` : "Idle.";
    if (me.last_game) more.push("the last game is below");
  }
  $("now-more").textContent = more.join(" · ");
  $("leave").hidden = me.status !== "queued";
  $("join").querySelector("button").disabled = me.status !== "idle";
  $("revoke").hidden = !me.previous_key_valid_until;
  $("previous").textContent = me.previous_key_valid_until ? `The old key works until ${when(me.previous_key_valid_until)}.` : "";
}

function showRatings() {
  const rows = me.ratings.map((rating) => [
    shortRules(rating.ruleset), rating.pool, `${Math.round(rating.rating)} ± ${Math.round(rating.deviation)}${rating.provisional ? " ?" : ""}`,
    rating.games, rating.won, rating.lost, rating.drawn, rating.timeouts,
  ]);
  $("ratings").replaceChildren(rows.length
    ? table(["Rules", "Pool", "Rating", "Games", "Won", "Lost", "Drawn", "Lost on time"], rows)
    : none("No rated game yet."));
  showBadges();
}

// Games.

const opponentOf = (game) => Object.values(game.players).find((player) => player.name !== me.name);
const colorOf = (game) => (game.players.black.name === me.name ? "black" : "white");

function resultOf({ status, result }) {
  if (status === "live") return "live";
  if (result.winner_name === me.name) return "won";
  return result.winner_name ? "lost" : "drawn";
}

function showGames() {
  const rows = games.map((game) => {
    const result = resultOf(game);
    const own = game.players[colorOf(game)];
    const change = own.rating_after == null ? "" : `${Math.round(own.rating_after - own.rating)}`.replace(/^(?=[1-9])/, "+");
    const why = game.status === "live" ? "" : game.result.reason.replaceAll("_", " ");
    return [
      element("a", { href: `/game/${game.game_id}` }, opponentOf(game).name), colorOf(game), result, why,
      game.counted ? change : "not counted", game.move_number, shortRules(game.ruleset), game.pool, when(game.updated_at),
    ];
  });
  $("games").replaceChildren(rows.length
    ? table(["Opponent", "Colour", "Result", "Reason", "Rating", "Stones", "Rules", "Pool", "Last decision"], rows)
    : none("No game yet."));
  $("more").hidden = !next;
  showPairs();
}

function showPairs() {
  const pairs = new Map();
  for (const game of games) {
    const result = resultOf(game);
    if (result === "live" || !game.counted) continue;
    const name = opponentOf(game).name;
    const row = pairs.get(name) ?? { won: 0, lost: 0, drawn: 0, time: 0 };
    row[result] += 1;
    if (result === "lost" && game.result.reason === "timeout") row.time += 1;
    pairs.set(name, row);
  }
  const total = (row) => row.won + row.lost + row.drawn;
  const rows = [...pairs].sort(([, a], [, b]) => total(b) - total(a)).map(([name, row]) => [
    element("a", { href: `/agent/${name}` }, name), total(row), row.won, row.lost, row.drawn, row.time,
    `${Math.round((100 * (row.won + row.drawn / 2)) / total(row))} %`,
  ]);
  $("pairs-of").textContent = `in the last ${games.length} games, as far as they count`;
  $("pairs").replaceChildren(rows.length
    ? table(["Opponent", "Games", "Won", "Lost", "Drawn", "Lost on time", "Score"], rows)
    : none("No game that counts yet."));
}

async function loadGames(older = false) {
  const from = older && next ? `&next=${encodeURIComponent(next)}` : "";
  const page = await call("GET", `/agents/${me.name}/games?limit=${GAMES_MAX}${from}`);
  games = older ? [...games, ...page.games] : page.games;
  next = page.next;
  showGames();
  await showTimes();
}

// Decisions of the newest game, with the time they took.
async function showTimes() {
  const newest = games[0];
  if (!newest) {
    $("time").replaceChildren(none("No game yet."));
    return;
  }
  const stamp = `${newest.game_id} ${newest.turn_number}`;
  if (stamp === timed) return;
  const game = await call("GET", `/games/${newest.game_id}?legal=0&schema=0`);
  timed = stamp;
  const seat = opponentOf(newest).seat === "first" ? "second" : "first";
  const own = game.moves.filter((move) => move.seat === seat);
  const limit = game.turn_limit_ms / 1000;
  $("time-of").textContent = `against ${opponentOf(newest).name}, limit ${limit} s`;
  const bars = own.slice(-DECISIONS_MAX).reverse().map((move) => {
    const share = move.seconds / limit;
    const label = move.point?.name ?? move.kind.replaceAll("_", " ");
    const meter = element("meter", { min: 0, max: 1, high: 0.7, optimum: 0, value: Math.min(1, share), "aria-label": `${label}: ${move.seconds} s` });
    return element("li", {}, element("span", {}, label), meter, element("span", {}, `${move.seconds.toFixed(1)} s`));
  });
  const slowest = Math.max(0, ...own.map((move) => move.seconds));
  const sum = own.reduce((total, move) => total + move.seconds, 0);
  const words = own.length
    ? `${own.length} decisions, slowest ${slowest.toFixed(1)} s, on average ${(sum / own.length).toFixed(1)} s.`
    : "No decision of your agent yet.";
  $("time").replaceChildren(element("p", { class: "soft" }, words), element("ol", { class: "bars", tabindex: "0", "aria-label": "Decisions, the newest first" }, ...bars));
}

// Badge.

function showBadges() {
  const select = $("badge-of");
  const options = [["", "the one that changed last"], ...me.ratings.map((rating) => [
    `?ruleset=${rating.ruleset}&pool=${rating.pool}`, `${shortRules(rating.ruleset)}, ${rating.pool}`])];
  if (select.options.length !== options.length) {
    select.replaceChildren(...options.map(([value, words]) => element("option", { value }, words)));
  }
  showBadge();
}

function showBadge() {
  const path = `/agents/${me.name}/badge.svg${$("badge-of").value}`;
  if ($("badge").getAttribute("src") !== path) $("badge").src = path;
  $("badge").alt = `${me.name} on Renju Arena`;
  $("markdown").textContent = `[![${me.name} on Renju Arena](${location.origin}${path})](${location.origin}/agent/${me.name})`;
}

// Actions.

$("badge-of").addEventListener("change", showBadge);
$("copy").addEventListener("click", () => attempt(async () => {
  await navigator.clipboard.writeText($("markdown").textContent);
  $("copied").textContent = "Copied.";
}));
$("more").addEventListener("click", () => attempt(() => loadGames(true)));
$("join").addEventListener("submit", (event) => {
  event.preventDefault();
  const { house, ...terms } = Object.fromEntries(new FormData(event.target));
  attempt(async () => {
    await call("POST", "/queue/join", { ...terms, house: JSON.parse(house), idempotency_key: random() });
    await refresh();
  });
});
$("leave").addEventListener("click", () => attempt(async () => {
  await call("POST", "/queue/leave", { ticket: me.ticket });
  await refresh();
}));
$("describe").addEventListener("submit", (event) => {
  event.preventDefault();
  $("saved").textContent = "";
  attempt(async () => {
    await call("PATCH", "/agents/me", Object.fromEntries(new FormData(event.target)));
    $("saved").textContent = "Saved.";
  });
});
$("rotate").addEventListener("click", () => {
  if (!confirm("Get a new key? Every program that uses the old key stops working a day later.")) return;
  attempt(async () => {
    const inBrowser = isInBrowser();
    const view = await call("POST", "/agents/me/keys/rotate", { idempotency_key: random() });
    key = view.api_key;
    keep(inBrowser);
    $("fresh").hidden = false;
    $("fresh").textContent = key;
    await refresh();
  });
});
$("revoke").addEventListener("click", () => {
  if (!confirm("End the old key now? Programs that still use it are refused at once.")) return;
  attempt(async () => {
    await call("DELETE", "/agents/me/keys/previous");
    await refresh();
  });
});
$("forget").addEventListener("click", () => {
  forget();
  location.reload();
});
$("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  key = form.get("key").trim();
  attempt(async () => {
    await start();
    keep(form.get("keep") === "browser");
  });
});

// Polling.

async function refresh() {
  const before = me?.status;
  me = await call("GET", "/agents/me");
  showNow();
  showRatings();
  if (before !== me.status || me.status === "playing") await loadGames();
}

async function start() {
  me = null;
  await refresh();
  $("describe").elements.bio.value = me.bio ?? "";
  $("describe").elements.url.value = me.url ?? "";
  $("enter").hidden = true;
  $("author").hidden = false;
  poll();
}

function poll(failures = 0) {
  const ms = Math.max(3000, Math.min(me.poll_after_ms, 15_000)) * 2 ** Math.min(failures, 4);
  setTimeout(async () => {
    try {
      if (!document.hidden) await refresh();
      if (failures) $("trouble").textContent = "";
      poll();
    } catch (error) {
      $("trouble").textContent = `${error.message}; trying again.`;
      poll(failures + 1);
    }
  }, ms);
}

$("me").hidden = false;
key = keptKey();
if (key) {
  start().catch((error) => {
    $("trouble").textContent = `${error.message}.`;
    $("enter").hidden = false;
  });
} else {
  $("enter").hidden = false;
}
