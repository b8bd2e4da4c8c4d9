// Counts down every clock on the page, by local time until a response gives the server's time. The
// page cannot give it, because the browser may have cached it.

let ahead = 0;

document.addEventListener("server-time", (event) => {
  ahead = event.detail - Date.now();
  tick();
});

export function left(ms) {
  const s = Math.max(0, Math.ceil(ms / 1000));
  const two = (n) => String(n).padStart(2, "0");
  const [h, m] = [Math.floor(s / 3600), Math.floor(s / 60) % 60];
  return h ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}

function tick() {
  for (const clock of document.querySelectorAll("[data-deadline]")) {
    const ms = Number(clock.dataset.deadline) - Date.now() - ahead;
    clock.textContent = left(ms);
    clock.classList.toggle("short", ms < 10_000);
  }
}

tick();
setInterval(tick, 500);

// A page that changes is followed from the time its first poll is due.
const followed = document.querySelector("[data-poll-ms]");
const follow = () => import("./live.js").catch(() => setTimeout(follow, 5000));
if (followed) setTimeout(follow, Math.max(1000, Number(followed.dataset.pollMs)));
