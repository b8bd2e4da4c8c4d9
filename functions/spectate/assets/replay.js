// Steps through a game without a request: the page has one drawing of all its positions, and every
// element names the turns it is there in (`7`, `7-12`, `7-13/2`). Buttons, the list of moves, keys, the
// wheel over the buttons and a swipe over the board.

const game = document.querySelector("[data-game]");
const frame = document.getElementById("frame");
const count = document.getElementById("count");
const said = document.getElementById("said");
const [auto, numbers, analyse] = ["auto", "numbers", "analyse"].map((id) => document.getElementById(id));
const AUTO_MS = 800;
const SWIPE_PX = 28;
let turns = Number(game.dataset.turns);
let turn = Number(game.dataset.turn);
let follows = turn === turns;
let parts = [];
let playing = null;
let remembering = null;

const turnOf = (link) => Number(new URL(link.href).searchParams.get("turn"));

// The drawing.

function read() {
  parts = [...frame.querySelectorAll("[data-at]")].map((part) => {
    const [range, step = "1"] = part.dataset.at.split("/");
    const [from, to = from] = range.split("-").map(Number);
    return { part, from, to, step: Number(step) };
  });
}

function draw() {
  const stones = { black: [], white: [], last: null };
  for (const { part, from, to, step } of parts) {
    const isThere = turn >= from && turn <= to && (turn - from) % step === 0;
    if (isThere) part.removeAttribute("display");
    else part.setAttribute("display", "none");
    if (turn < from || !part.dataset.stone) continue;
    const [color, point] = part.dataset.stone.split(" ");
    stones.last = point;
    if (isThere) stones[color].push(point);
  }
  describe(stones);
}

// The same words as in the pictures of the server.
function describe({ black, white, last }) {
  const total = black.length + white.length;
  const words = frame.querySelector("desc").textContent.match(/^A board of \d+ by \d+ lines/)[0];
  const told = [total === 0 ? `${words} without stones.` : `${words} with ${total === 1 ? "one stone" : `${total} stones`}.`];
  if (black.length) told.push(`Black: ${black.join(", ")}.`);
  if (white.length) told.push(`White: ${white.join(", ")}.`);
  if (last) told.push(`Last move: ${last}.`);
  frame.querySelector("desc").textContent = told.join(" ");
}

// Stepping.

function go(to) {
  turn = Math.max(0, Math.min(turns, to));
  follows = turn === turns;
  draw();
  tell();
  // Browsers limit how often the address may change.
  clearTimeout(remembering);
  remembering = setTimeout(() => {
    history.replaceState(null, "", follows ? game.dataset.source : `${game.dataset.source}?turn=${turn}`);
  }, 150);
}

function tell() {
  const links = [...document.querySelectorAll(".moves a")];
  const stones = links.filter((link) => !link.classList.contains("word"));
  count.textContent = `${stones.filter((link) => turnOf(link) <= turn).length} of ${stones.length}`;
  for (const link of links) link.removeAttribute("aria-current");
  const current = links.find((link) => turnOf(link) === turn);
  current?.setAttribute("aria-current", "step");
  const words = current ? current.title : turn === 0 ? "Before the first move." : "";
  if (said.textContent !== words) said.textContent = words;
  for (const link of document.querySelectorAll("[data-picture]")) {
    link.href = link.pathname + (follows ? "" : `?turn=${turn}`);
  }
  analyse.href = `/analysis?game=${game.dataset.game}&turn=${turn}`;
  reveal(current);
}

// Scrolls the list, not the page, so far that the move is in sight.
function reveal(current) {
  if (!current) return;
  const list = current.closest(".moves");
  const [top, bottom] = [current.offsetTop, current.offsetTop + current.offsetHeight];
  if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
}

function play(on) {
  clearInterval(playing);
  playing = null;
  if (on) {
    if (turn === turns) go(0);
    playing = setInterval(() => (turn < turns ? go(turn + 1) : play(false)), AUTO_MS);
  }
  auto.textContent = on ? "⏸" : "▶";
  auto.setAttribute("aria-pressed", String(on));
}

const targets = { first: () => 0, back: () => turn - 1, on: () => turn + 1, last: () => turns };
const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last" };

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-go], .moves a, .timeline a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  play(false);
  go(link.dataset.go ? targets[link.dataset.go]() : turnOf(link));
});

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea, pre");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === " " && !event.target.closest("button, summary")) {
    event.preventDefault();
    play(!playing);
  } else if (keys[event.key]) {
    event.preventDefault();
    play(false);
    go(targets[keys[event.key]]());
  }
});

// The wheel scrolls the page, but over the buttons it steps.
document.querySelector(".replay").addEventListener("wheel", (event) => {
  if (!event.deltaY) return;
  event.preventDefault();
  play(false);
  go(turn + Math.sign(event.deltaY));
}, { passive: false });

// A finger that moves sideways over the board steps as it goes; up and down scrolls the page.
let finger = null;
frame.addEventListener("pointerdown", (event) => { if (event.pointerType !== "mouse") finger = event.clientX; });
for (const end of ["pointerup", "pointercancel"]) frame.addEventListener(end, () => { finger = null; });
frame.addEventListener("pointermove", (event) => {
  if (finger === null || Math.abs(event.clientX - finger) < SWIPE_PX) return;
  const step = event.clientX < finger ? 1 : -1;
  finger -= step * SWIPE_PX;
  play(false);
  go(turn + step);
});

auto.addEventListener("click", () => play(!playing));
numbers.addEventListener("click", () => {
  const isPlain = frame.classList.toggle("plain");
  numbers.setAttribute("aria-pressed", String(!isPlain));
});

game.addEventListener("news", (event) => {
  turns = Number(event.detail.dataset.turns);
  frame.replaceChildren(...document.adoptNode(event.detail.querySelector("#frame")).childNodes);
  read();
  if (follows) turn = turns;
  go(turn);
});

auto.hidden = false;
numbers.hidden = false;
read();
tell();
