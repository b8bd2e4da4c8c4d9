// A game against a house bot, played through the public API as any program would: register once,
// join, poll, decide. The server draws the board; this page adds buttons on its points.

const $ = (id) => document.getElementById(id);
const [root, form, table, frame, points] = ["play", "start", "table", "frame", "points"].map($);
const KEPT = "renju-arena-player";
const coarse = matchMedia("(pointer: coarse)");

let player = kept();
let game = null; // the last view of the game
let tag = null; // its tag
let offering = null; // the points picked for an offer, while picking
let picked = null; // the point a finger has picked but not confirmed
let sending = false;

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT));
  } catch {
    return null;
  }
}

const random = () => Array.from(crypto.getRandomValues(new Uint8Array(18)), (n) => n.toString(36)).join("");
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail ?? `server error (${status})`);
    Object.assign(this, { status, problem });
  }
}

// One request; repeated unchanged if the reply is lost or the server is busy.
async function call(method, path, body, headers = {}) {
  if (player) headers.authorization = `Bearer ${player.key}`;
  if (body) headers["content-type"] = "application/json";
  for (let attempt = 0; ; attempt += 1) {
    const reply = await fetch(path, { method, headers, cache: "no-store", body: body && JSON.stringify(body) })
      .catch((error) => ({ ok: false, status: 503, error }));
    if (reply.ok) return [await reply.json(), reply.headers];
    if (reply.status === 304) return [null, reply.headers];
    if (reply.status === 503 && attempt < 4) {
      await pause(500 * 2 ** attempt);
      continue;
    }
    if (reply.error) throw new Error("the arena cannot be reached");
    throw new Refused(reply.status, await reply.json().catch(() => ({})));
  }
}

// Start of a game.

async function register() {
  const name = `guest-${random().slice(0, 8)}`;
  const [view] = await call("POST", "/agents/register", { name, bio: "a person in a browser", idempotency_key: random() });
  player = { name: view.name, key: view.api_key };
  localStorage.setItem(KEPT, JSON.stringify(player));
}

async function sitDown(wishes) {
  if (!player) await register();
  const terms = { ...wishes, rated: false };
  const join = () => call("POST", "/queue/join", { ...terms, idempotency_key: random() });
  let [place] = await join().catch(async (error) => {
    if (error.status !== 401) throw error;
    // The server that issued the key is gone: register again.
    player = null;
    await register();
    return join();
  });
  while (!place.active_game) {
    $("trouble").textContent = "";
    await pause(Math.min(place.poll_after_ms, 1000));
    [place] = await call("GET", "/queue");
    if (place.status === "idle") throw new Error("no opponent was found; try again");
  }
  await watch(place.active_game);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const wishes = Object.fromEntries(new FormData(form));
  wishes.house = Number(wishes.house);
  const button = form.querySelector("button");
  button.disabled = true;
  $("trouble").textContent = "";
  try {
    await sitDown(wishes);
  } catch (error) {
    $("trouble").textContent = `Cannot start: ${error.message}.`;
  }
  button.disabled = false;
});

// Polling.

async function watch(id) {
  form.hidden = true;
  table.hidden = false;
  game = null;
  tag = null;
  let failures = 0;
  while (!table.hidden) {
    try {
      await look(id);
      failures = 0;
      if (game.status === "over") return;
    } catch (error) {
      failures += 1;
      $("refused").textContent = `${error.message}; trying again.`;
    }
    const mine = game?.required_action;
    const ms = mine ? 3000 : Math.min(game?.poll_after_ms ?? 1000, 1500);
    await pause(Math.max(300, ms) * (1 + failures));
  }
}

async function look(id) {
  const [view, headers] = await call("GET", `/games/${id}`, null, tag ? { "if-none-match": tag } : {});
  if (view) {
    tag = headers.get("etag");
    await show(view);
  }
}

async function show(view) {
  const isNews = !game || game.turn_number !== view.turn_number || game.game_id !== view.game_id;
  game = view;
  if (isNews) {
    offering = null;
    picked = null;
    $("refused").textContent = "";
  }
  document.dispatchEvent(new CustomEvent("server-time", { detail: Date.parse(view.server_time) }));
  $("title").textContent = `${view.players.black.name} – ${view.players.white.name}`;
  $("rules").textContent = `${form.elements.ruleset.querySelector(`[value="${view.ruleset}"]`)?.textContent ?? view.ruleset} · ${view.pool}`;
  $("players").replaceChildren(...["black", "white"].map(side));
  const over = view.status === "over";
  $("after").hidden = !over;
  $("leave").hidden = over;
  $("watch").href = `/game/${view.game_id}`;
  table.dataset.turn = view.turn_number;
  table.dataset.due = view.required_action ? view.phase : "";
  say();
  if (isNews) {
    const reply = await fetch(`/games/${view.game_id}.svg?turn=${view.turn_number}&theme=page`);
    if (reply.ok && game === view) frame.innerHTML = await reply.text();
  }
  setPoints();
}

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

function side(color) {
  const { name, rating } = game.players[color];
  const acts = game.to_act?.color === color;
  const soft = [color];
  if (name === player.name) soft.push("you");
  if (game.pairs) soft.push(`${game.pairs[color]} of ${game.pairs.to_win} pairs`);
  const row = element("div", { class: acts ? "player acts" : "player" },
    element("span", { class: `stone ${color}`, "aria-hidden": "true" }),
    element("span", { class: "who" }, element("bdi", {}, name), element("span", { class: "soft" }, soft.join(" · "))),
    element("span", { class: "rating" }, String(Math.round(rating))));
  if (acts) row.append(element("span", { class: "clock", role: "timer", "aria-label": "time left", "data-deadline": game.turn_deadline_ms }));
  return row;
}

const ENDINGS = {
  five: "five in a row", overline: "an overline is forbidden", double_four: "a double-four is forbidden",
  double_three: "a double-three is forbidden", pairs: "enough pairs are captured", board_full: "the board is full",
  resignation: "by resignation", timeout: "time ran out", no_show: "a player did not show up",
};

function say() {
  const { result, required_action: due } = game;
  const choices = $("choices");
  choices.replaceChildren();
  $("hint").textContent = "";
  if (result) {
    const who = result.winner_name === player.name ? "You won" : result.winner_name ? `${result.winner_name} won` : "Nobody won";
    $("status").textContent = `${who}: ${ENDINGS[result.reason] ?? result.reason}.`;
    return;
  }
  if (!due) {
    $("status").textContent = `${game.to_act.name} is thinking…`;
    return;
  }
  const button = (words, act, plain = true) => {
    const made = element("button", { type: "button", class: plain ? "plain" : null }, words);
    made.addEventListener("click", act);
    choices.append(made);
    return made;
  };
  const mine = game.you.color;
  const other = mine === "black" ? "white" : "black";
  switch (game.phase) {
    case "swap":
    case "swap_or_put_two":
      $("status").textContent = "Your decision: which colour do you want?";
      button(`Keep ${mine}`, () => send("swap", { swap: false }), false);
      button(`Swap and take ${other}`, () => send("swap", { swap: true }), false);
      if (game.phase === "swap_or_put_two") button("Put two more stones", () => send("swap", { swap: "put_two" }));
      break;
    case "declare": {
      $("status").textContent = "Your decision: how many fifth moves must black offer?";
      const most = due.schema.properties.fifths.maximum;
      for (let n = 1; n <= most; n += 1) button(String(n), () => send("declare", { fifths: n }), false);
      break;
    }
    case "choose":
      $("status").textContent = "Your decision: choose one of the lettered fifth moves.";
      break;
    case "offer":
      offering ??= [];
      sayOffer(button);
      break;
    case "fifth":
      if (offering) {
        sayOffer(button);
        button("Place one stone instead", () => { offering = null; say(); setPoints(); });
      } else {
        $("status").textContent = "Your turn: place the fifth stone, or offer several to choose from.";
        button(`Offer ${offerExample().length} fifth moves`, () => { offering = []; say(); setPoints(); });
      }
      break;
    default:
      $("status").textContent = `Your turn: place a ${game.turn_color} stone.`;
      if (game.phase === "place") $("hint").textContent = "It must be inside the dotted square.";
  }
  if (picked) $("hint").textContent = `Tap ${picked} again to place it.`;
}

const offerExample = () =>
  [game.required_action, ...game.required_action.alternatives].find((way) => way.path.endsWith("/offer10")).example.candidates;

function sayOffer(button) {
  const count = offerExample().length;
  $("status").textContent = `Your offer: pick ${count} fifth moves, no two of them symmetric. ${offering.length} picked.`;
  button("Send the offer", () => send("offer10", { candidates: offering }), false).disabled = offering.length !== count;
  button("Suggest some", () => {
    offering = offerExample().map((point) => point.name ?? point);
    say();
    setPoints();
  });
}

// Decisions.

async function send(verb, decision) {
  if (sending) return;
  sending = true;
  for (const button of $("choices").children) button.disabled = true;
  $("refused").textContent = "";
  const { game_id: id, turn_number } = game;
  const body = { ...decision, idempotency_key: `${id}-${turn_number}-${verb}-${random()}` };
  if (verb !== "resign") body.turn_number = turn_number;
  try {
    const [view, headers] = await call("POST", `/games/${id}/${verb}?legal=1`, body);
    tag = headers.get("etag");
    await show(view);
  } catch (error) {
    $("refused").textContent = `${error.message}.`;
    if (error.problem?.game) await show(error.problem.game);
    else say();
  } finally {
    sending = false;
    setPoints();
  }
}

$("resign").addEventListener("click", () => {
  if (confirm("Resign this game?")) send("resign", {});
});
$("again").addEventListener("click", () => {
  table.hidden = true;
  form.hidden = false;
  form.querySelector("button").focus();
});

// One button per point, one of them in the tab order, arrow keys between them.

let buttons = new Map();
let cursor = null;

function setPoints() {
  const size = game.board.length;
  if (buttons.size !== size * size) makePoints(size);
  const mayAct = Boolean(game.required_action) && !sending;
  const places = mayAct && ["place", "play", "fifth", "choose", "offer"].includes(game.phase);
  const legal = new Set((game.legal_moves ?? []).map((point) => point.name));
  const stones = game.board.map((rank) => [...rank]);
  for (const [name, button] of buttons) {
    const [x, y] = [Number(button.dataset.x), Number(button.dataset.y)];
    const stone = stones[size - 1 - y][x];
    const open = places && (offering ? stone === "." : legal.has(name));
    button.setAttribute("aria-disabled", String(!open));
    const letter = offering ? offering.indexOf(name) : -1;
    button.textContent = letter < 0 ? "" : String.fromCharCode(65 + letter);
    button.classList.toggle("picked", picked === name || letter >= 0);
    const what = { x: ", black stone", o: ", white stone" }[stone] ?? "";
    button.setAttribute("aria-label", `${name}${what}${letter < 0 ? "" : ", picked"}`);
  }
  points.dataset.color = game.turn_color ?? "";
}

function makePoints(size) {
  const side = 64 + 32 * (size - 1);
  buttons = new Map();
  for (let y = size - 1; y >= 0; y -= 1) {
    for (let x = 0; x < size; x += 1) {
      const name = String.fromCharCode(97 + x) + (y + 1);
      const button = element("button", { type: "button", class: "point", tabindex: "-1", "data-x": x, "data-y": y });
      button.style.left = `${((24 + 32 * x) / side) * 100}%`;
      button.style.top = `${((8 + 32 * (size - 1 - y)) / side) * 100}%`;
      button.style.width = button.style.height = `${(32 / side) * 100}%`;
      button.dataset.name = name;
      buttons.set(name, button);
    }
  }
  points.replaceChildren(...buttons.values());
  setCursor(String.fromCharCode(97 + (size >> 1)) + ((size >> 1) + 1));
}

function setCursor(name) {
  if (cursor) buttons.get(cursor)?.setAttribute("tabindex", "-1");
  cursor = name;
  buttons.get(name).setAttribute("tabindex", "0");
}

points.addEventListener("click", (event) => {
  const button = event.target.closest(".point");
  if (!button || button.getAttribute("aria-disabled") === "true") return;
  const name = button.dataset.name;
  setCursor(name);
  if (offering) {
    const count = offerExample().length;
    if (offering.includes(name)) offering = offering.filter((other) => other !== name);
    else if (offering.length < count) offering.push(name);
    say();
    setPoints();
  } else if (coarse.matches && picked !== name) {
    picked = name;
    say();
    setPoints();
  } else {
    send("move", { point: name });
  }
});

points.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
  const button = event.target.closest(".point");
  if (!step || !button) return;
  event.preventDefault();
  const size = game.board.length;
  const within = (n) => Math.max(0, Math.min(size - 1, n));
  const x = within(Number(button.dataset.x) + step[0]);
  const y = within(Number(button.dataset.y) + step[1]);
  const name = String.fromCharCode(97 + x) + (y + 1);
  setCursor(name);
  buttons.get(name).focus();
});

// A returning player continues the game in progress.
async function resume() {
  if (!player) return;
  const [me] = await call("GET", "/agents/me");
  if (me.active_game) await watch(me.active_game);
}

root.hidden = false;
resume().catch((error) => {
  if (error.status === 401) {
    player = null;
    localStorage.removeItem(KEPT);
  }
});
