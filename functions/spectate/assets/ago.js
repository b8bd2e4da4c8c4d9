// Says of every time on the page how long ago it was, and keeps saying it.

const STEPS = [[60, "min"], [60, "h"], [24, "days"]];

function ago(ms) {
  let count = Math.floor(ms / 1000);
  if (count < 60) return "just now";
  let unit = "s";
  for (const [size, next] of STEPS) {
    if (count < size) break;
    count = Math.floor(count / size);
    unit = next;
  }
  if (unit === "days" && count === 1) return "yesterday";
  return `${count} ${unit} ago`;
}

function tick() {
  for (const time of document.querySelectorAll("time[data-ago]")) {
    const at = Date.parse(time.dateTime);
    const days = (Date.now() - at) / 86_400_000;
    time.title = new Date(at).toLocaleString();
    time.textContent = days < 30 ? ago(Date.now() - at) : time.dateTime.slice(0, 10);
  }
}

tick();
setInterval(tick, 10_000);
document.addEventListener("patched", tick);
