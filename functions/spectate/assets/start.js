// The form of the page on which a game is played. The scripts of the game come when it begins, while
// the seats are taken, or at once if this browser has played before.

const $ = (id) => document.getElementById(id);
const form = $("start");

// The address may name the terms.
for (const [name, value] of new URLSearchParams(location.search)) {
  const field = form.elements[name];
  if (field instanceof HTMLSelectElement && [...field.options].some((option) => option.value === value)) field.value = value;
}

async function begin(act) {
  try {
    act(await import("./play.js"));
  } catch {
    $("trouble").textContent = "Cannot start: the arena cannot be reached.";
  }
}

// Where the opening has swaps, the colour is only that of the start.
const hasSwaps = () => $("openings").content.querySelector(`[data-ruleset="${form.elements.ruleset.value}"] .choice`);
const note = () => { $("swaps").hidden = !(form.elements.color.value && hasSwaps()); };
form.addEventListener("change", note);
note();

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const { color, ...terms } = Object.fromEntries(new FormData(form));
  $("progress").textContent = "Asking for a seat…";
  begin((game) => game.start({ ...terms, color: color || undefined, house: Number(terms.house) }));
});

$("play").hidden = false;
try {
  if (localStorage.getItem("renju-arena-player")) begin((game) => game.resume());
} catch { /* a browser that stores nothing has no game to go on with */ }
