// A game against a house bot, played through the public API. The server draws the board; this page adds
// a button on each of its points, and shows a stone before the picture with it has come.

import { call, forget, guest, pause, random, sitDown } from "./api.js";
import { classes } from "./offer.js";
import { onPoint, setPoints } from "./points.js";
import { element, list, side } from "./rows.js";
import { ask, ending, foulName, other, refusal } from "./say.js";
import { click } from "./sound.js";

const $ = (id) => document.getElementById(id);
const [form, table, frame] = ["start", "table", "frame"].map($);
const coarse = matchMedia("(pointer: coarse)");

let game = null; // the last view of the game
let tag = null; // its tag
let drawn = []; // the board in the picture
let sent = null; // the stone that was sent and is not answered yet
let offering = null; // the points picked for an offer, while picking
let classOf = null; // class of an offered point: equal for symmetric ones
let picked = null; // the point a finger has picked but not confirmed
let waking = new AbortController();
let watching = 0; // number of the game that is watched

// Start of a game.

export async function start(terms) {
  $("trouble").textContent = "";
  const buttons = [form.querySelector("button"), $("rematch"), $("again")];
  for (const button of buttons) button.disabled = true;
  const tell = (words) => { $("progress").textContent = words; if (!table.hidden) $("status").textContent = words; };
  try {
    const id = await sitDown(terms, tell);
    watch(id);
  } catch (error) {
    table.hidden = true;
    form.hidden = false;
    $("trouble").textContent = `Cannot start: ${error.message}.`;
  }
  $("progress").textContent = "";
  for (const button of buttons) button.disabled = false;
}

$("rematch").addEventListener("click", () => {
  const { ruleset, pool, players, you } = game;
  const color = form.elements.color.value || undefined;
  start({ ruleset, pool, color, house: players[other(you.color)].house_level });
});

$("again").addEventListener("click", () => {
  table.hidden = true;
  form.hidden = false;
  document.title = "Play · Renju Arena";
  form.querySelector("button").focus();
});

// Waiting for the other side.

const wake = () => waking.abort();
const nap = (ms) => Promise.race([pause(ms), new Promise((done) => waking.signal.addEventListener("abort", done))]);

async function watch(id) {
  form.hidden = true;
  table.hidden = false;
  if (game?.game_id !== id) {
    [game, tag, drawn, sent, offering, picked] = [null, null, [], null, null, null];
    frame.replaceChildren();
  }
  watching += 1;
  const own = watching;
  for (let failures = 0, idle = 0; !table.hidden && watching === own;) {
    if (sent) await sent.done;
    waking = new AbortController();
    const isMine = Boolean(game?.required_action);
    const began = performance.now();
    try {
      // While the other side acts, the server answers as soon as it has acted, if the deployment
      // allows that; otherwise it answers at once and is asked again soon.
      const query = isMine || !game ? "" : "?wait=20";
      const [view, now] = await call("GET", `/games/${id}${query}`, { tag, signal: waking.signal, patience: 0 });
      failures = 0;
      reached();
      if (view) {
        tag = now;
        show(view);
      }
      if (game.status === "over") return;
      const waited = performance.now() - began > 1000;
      idle = view || waited ? 0 : idle + 1;
      if (game.required_action) await nap(10_000);
      else if (idle) await nap(Math.min(200 * 2 ** idle, 1500));
    } catch (error) {
      if (error.name === "AbortError") continue;
      failures += 1;
      trouble(`${error.message}; trying again.`, true);
      await nap(Math.min(1000 * failures, 5000));
    }
  }
}

addEventListener("online", wake);
document.addEventListener("visibilitychange", () => { if (!document.hidden && game?.status === "live") wake(); });

function trouble(words, ofLine = false) {
  const place = $("refused");
  place.textContent = words && words[0].toUpperCase() + words.slice(1);
  place.dataset.line = ofLine ? "lost" : "";
}

// The line is back: a message about it goes, another one stays.
function reached() {
  if ($("refused").dataset.line === "lost") trouble("");
}

// Showing the game.

function show(view) {
  if (game?.game_id === view.game_id && view.turn_number < game.turn_number) return;
  const isNews = !game || game.turn_number !== view.turn_number || game.game_id !== view.game_id;
  const stones = game?.move_number;
  game = view;
  if (isNews) {
    [offering, picked, sent] = [null, null, null];
    closeWhy();
    trouble("");
    if (stones !== undefined && view.move_number > stones) click();
    if (view.status === "live" && view.phase !== "play") classOf = classes(opening()?.dataset.distinct, view.board);
  }
  const over = view.status === "over";
  $("title").textContent = `${view.players.black.name} – ${view.players.white.name}`;
  const rules = form.elements.ruleset.querySelector(`[value="${view.ruleset}"]`)?.textContent ?? view.ruleset;
  const pool = form.elements.pool.querySelector(`[value="${view.pool}"]`)?.textContent ?? view.pool;
  $("rules").textContent = `${rules} · ${pool}`;
  const mine = view.you?.color ?? "black";
  $("own").replaceChildren(side(view, mine, guest.name));
  $("other").replaceChildren(side(view, other(mine), guest.name));
  $("after").hidden = !over;
  $("resign").hidden = over;
  $("watch").href = `/game/${view.game_id}`;
  $("analyse").href = `/analysis?game=${view.game_id}`;
  table.dataset.turn = view.turn_number;
  table.dataset.due = view.required_action ? view.phase : "";
  document.dispatchEvent(new CustomEvent("server-time", { detail: Date.parse(view.server_time) }));
  say();
  points();
  if (isNews) {
    list($("list"), view.moves ?? []);
    draw();
  }
}

// Fetches the picture of this turn, and with it the proof that a point is forbidden.
async function draw(point) {
  const view = game;
  const query = `turn=${view.turn_number}&theme=page${point ? `&point=${point}` : ""}`;
  const reply = await fetch(`/games/${view.game_id}.svg?${query}`).catch(() => null);
  if (!reply?.ok) return;
  const svg = await reply.text();
  const isAsked = $("why").dataset.point === (point ?? "");
  if (!isAsked || game.game_id !== view.game_id || game.turn_number !== view.turn_number) return;
  frame.innerHTML = svg;
  drawn = view.board;
  points();
}

const opening = () => $("openings").content.querySelector(`[data-ruleset="${game.ruleset}"]`);

// Index of the current step of the opening; an offer and the choice are one step.
const step = () => (game.phase === "choose" ? game.turn_number - 1 : game.turn_number);

// Ring of the square in which the next stone must be placed.
function ring() {
  const value = opening()?.children[step()]?.dataset.ring;
  return game.phase === "place" || game.phase === "fifth" ? value && Number(value) : undefined;
}

function strip() {
  const steps = $("steps");
  const isOpening = !["play", "over"].includes(game.phase) && opening()?.children.length;
  steps.hidden = !isOpening;
  if (!isOpening) return;
  steps.replaceChildren(...opening().cloneNode(true).children);
  [...steps.children].forEach((item, n) => {
    item.classList.toggle("done", n < step());
    if (n === step()) item.setAttribute("aria-current", "step");
  });
}

function say() {
  const { result, required_action: due } = game;
  const choices = $("choices");
  choices.replaceChildren();
  strip();
  frame.classList.toggle("offering", Boolean(offering));
  if (result) {
    $("status").textContent = ending(game, guest.name);
    $("hint").textContent = result.rated ? "" : "An unrated game: no rating changed.";
    document.title = `${$("status").textContent.split(":")[0]} · Renju Arena`;
    return;
  }
  $("hint").textContent = guest.kept ? "" : "This browser keeps no data: if you leave this page, the game goes on without you.";
  document.title = due ? "● Your turn · Renju Arena" : `${game.to_act.name} is thinking · Renju Arena`;
  if (!due || sent) {
    $("status").textContent = `${game.players[other(game.you.color)].name} is thinking…`;
    return;
  }
  const button = (words, act, plain = false) => {
    const made = element("button", { type: "button", class: plain ? "plain" : null }, words);
    made.addEventListener("click", act);
    choices.append(made);
    return made;
  };
  const [status, hint] = ask(game, ring());
  $("status").textContent = status;
  if (hint) $("hint").textContent = hint;
  const mine = game.you.color;
  if (game.phase.startsWith("swap")) {
    button(`Keep ${mine}`, () => send("swap", { swap: false }));
    button(`Swap, take ${other(mine)}`, () => send("swap", { swap: true }));
    if (game.phase === "swap_or_put_two") button("Put two more", () => send("swap", { swap: "put_two" }), true);
  } else if (game.phase === "declare") {
    for (let n = 1; n <= due.schema.properties.fifths.maximum; n += 1) button(String(n), () => send("declare", { fifths: n }));
  } else if (game.phase === "offer" || offering) {
    offering ??= [];
    const count = example().length;
    $("status").textContent = `Your offer: pick ${count} fifth moves, no two of them symmetric. ${offering.length} picked.`;
    $("hint").textContent = "They may be anywhere on the board. Your opponent chooses one of them.";
    button("Send the offer", () => send("offer10", { candidates: offering })).disabled = offering.length !== count;
    button("Suggest some", () => pick(example()), true);
    if (game.phase === "fifth") button("One stone instead", () => pick(null), true);
  } else if (game.phase === "fifth") {
    button(`Offer ${example().length} fifth moves`, () => pick([]), true);
  }
  if (picked) $("hint").textContent = `Tap ${picked} again to place it.`;
}

const example = () =>
  [game.required_action, ...game.required_action.alternatives].find((way) => way.path.endsWith("/offer10"))
    .example.candidates.map((point) => point.name ?? point);

function pick(chosen) {
  offering = chosen;
  closeWhy();
  say();
  points();
}

// The points of the board.

const stoneOf = (board, name) =>
  board[board.length - Number(name.slice(1))]?.[name.charCodeAt(0) - 97] ?? ".";

const mirrored = (name) => offering?.find((point) => point !== name && classOf(point) === classOf(name));

function points() {
  const mayAct = Boolean(game.required_action) && !sent;
  const places = mayAct && ["place", "play", "fifth", "choose", "offer"].includes(game.phase);
  const legal = new Set((game.legal_moves ?? []).map((point) => point.name));
  const fouls = new Map((game.forbidden_moves ?? []).map((point) => [point.name, point.kind]));
  const stone = (name) => (sent?.name === name ? sent.stone : stoneOf(game.board, name));
  const isFull = offering && game.required_action && offering.length === example().length;
  setPoints(game.board.length, {
    stone,
    drawn: (name) => stoneOf(drawn, name),
    color: game.turn_color,
    mark(name) {
      if (!offering) {
        const words = picked === name ? "picked" : fouls.has(name) ? `forbidden: ${foulName(fouls.get(name))}` : "";
        return { open: places && legal.has(name), picked: picked === name, words };
      }
      const place = offering.indexOf(name);
      if (place >= 0) {
        const letter = String.fromCharCode(65 + place);
        return { open: places, letter, picked: true, words: `offer ${letter}` };
      }
      const same = stone(name) === "." && mirrored(name);
      return { open: places && stone(name) === "." && !same && !isFull, barred: same, words: same ? `symmetric to ${same}` : "" };
    },
  });
}

function explain(name) {
  if (!game.required_action || sent) return;
  const forbidden = (game.forbidden_moves ?? []).find((point) => point.name === name)?.kind;
  const why = { stone: stoneOf(game.board, name), forbidden, ring: ring(), mirrored: mirrored(name) };
  const isFull = offering && why.stone === "." && !why.mirrored;
  $("why").firstElementChild.textContent = isFull
    ? `${offering.length} points are picked: take one back first.` : refusal(game, name, why);
  $("why").hidden = false;
  $("why").dataset.point = forbidden ? name : "";
  if (!forbidden) return;
  draw(name).then(() => {
    const proof = frame.querySelector(".why > title")?.textContent;
    if (proof && $("why").dataset.point === name) $("why").firstElementChild.textContent = proof;
  });
}

function closeWhy() {
  const { point } = $("why").dataset;
  $("why").hidden = true;
  $("why").dataset.point = "";
  if (point && frame.querySelector(".why")) draw();
}

$("why").querySelector("button").addEventListener("click", closeWhy);

onPoint((name, open) => {
  if (!open) {
    picked = null;
    explain(name);
    return;
  }
  closeWhy();
  if (offering) {
    pick(offering.includes(name) ? offering.filter((point) => point !== name) : [...offering, name]);
  } else if (coarse.matches && picked !== name) {
    picked = name;
    say();
    points();
  } else {
    send("move", { point: name });
  }
});

// Decisions.

async function send(verb, decision) {
  if (sent) return;
  const stone = game.turn_color === "black" ? "x" : "o";
  let answered;
  sent = { name: decision.point, stone, done: new Promise((done) => { answered = done; }) };
  picked = null;
  trouble("");
  say();
  points();
  wake();
  const { game_id: id, turn_number } = game;
  const body = { ...decision, idempotency_key: `${id}-${turn_number}-${verb}-${random()}` };
  if (verb !== "resign") body.turn_number = turn_number;
  try {
    const [view, now] = await call("POST", `/games/${id}/${verb}?legal=1`, { body });
    tag = now;
    sent = null;
    show(view);
  } catch (error) {
    sent = null;
    tag = null;
    if (error.problem?.game) show(error.problem.game);
    say();
    points();
    trouble(`${error.message}.`, error.lost);
  }
  answered();
  wake();
}

$("resign").addEventListener("click", () => {
  if (confirm("Resign this game?")) send("resign", {});
});

// A returning player goes on with the game in progress.
export async function resume() {
  if (!guest.key) return;
  try {
    const [me] = await call("GET", "/agents/me");
    if (me.active_game) watch(me.active_game);
  } catch (error) {
    if (error.status === 401) forget();
  }
}
