// Steps through a game: buttons, the list of moves, arrow keys, Home and End. The server draws every
// position; positions are cached.

const game = document.querySelector("[data-game]");
const frame = document.getElementById("frame");
const count = document.getElementById("count");
const drawn = new Map();
let turns = Number(game.dataset.turns);
let turn = Number(game.dataset.turn);
let follows = turn === turns;

drawn.set(turn, frame.innerHTML);

async function draw(at) {
  if (!drawn.has(at)) {
    const reply = await fetch(`/games/${game.dataset.game}.svg?turn=${at}&theme=page`);
    if (!reply.ok) throw new Error(`server error (${reply.status})`);
    drawn.set(at, await reply.text());
  }
  return drawn.get(at);
}

async function go(to, remember = true) {
  turn = Math.max(0, Math.min(turns, to));
  follows = turn === turns;
  tell();
  const address = follows ? game.dataset.source : `${game.dataset.source}?turn=${turn}`;
  if (remember) history.replaceState(null, "", address);
  const wanted = turn;
  const svg = await draw(wanted);
  // With fast stepping only the last position is shown.
  if (wanted === turn) frame.innerHTML = svg;
  for (const near of [wanted + 1, wanted - 1]) {
    if (near >= 0 && near <= turns) draw(near).catch(() => {});
  }
}

function tell() {
  count.textContent = `${turn} of ${turns}`;
  for (const link of document.querySelectorAll(".moves [data-turn]")) {
    if (Number(link.dataset.turn) === turn) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  }
  const current = document.querySelector('.moves [aria-current="step"]');
  if (current) {
    const list = current.closest(".moves");
    const row = current.offsetTop - list.offsetTop;
    if (row < list.scrollTop || row > list.scrollTop + list.clientHeight - 40) list.scrollTop = row - 40;
  }
}

const targets = { first: () => 0, back: () => turn - 1, on: () => turn + 1, last: () => turns };
const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last" };

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-go], .moves a[data-turn], .timeline a[data-turn]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const to = link.dataset.go ? targets[link.dataset.go]() : Number(link.dataset.turn);
  go(to).catch(() => {});
});

document.addEventListener("keydown", (event) => {
  const key = keys[event.key];
  const typing = event.target.closest("input, select, textarea, pre");
  if (!key || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  go(targets[key]()).catch(() => {});
});

game.addEventListener("news", (event) => {
  turns = Number(event.detail.dataset.turns);
  if (follows) go(turns).catch(() => {});
  else tell();
});

tell();
