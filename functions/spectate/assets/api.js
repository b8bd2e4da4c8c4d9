// The public API, used as any program would use it: register once, join, wait, decide.

const KEPT = "renju-arena-player";

export const random = () => Array.from(crypto.getRandomValues(new Uint8Array(18)), (n) => n.toString(36)).join("");
export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// The guest of this browser; `kept` is false if the browser stores nothing.
export const guest = { name: null, key: null, kept: true };

try {
  Object.assign(guest, JSON.parse(localStorage.getItem(KEPT)));
} catch {
  guest.kept = false;
}

export function forget() {
  Object.assign(guest, { name: null, key: null });
  try {
    localStorage.removeItem(KEPT);
  } catch {
    guest.kept = false;
  }
}

class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail ?? `server error (${status})`);
    Object.assign(this, { status, problem });
  }
}

// One request; repeated unchanged if the server is busy, and if the reply is lost and `patience` is
// left. Answers with the body, or null if it is not new, and the tag.
export async function call(method, path, { body, tag, signal, patience = 4 } = {}) {
  const headers = {};
  if (guest.key) headers.authorization = `Bearer ${guest.key}`;
  if (body) headers["content-type"] = "application/json";
  if (tag) headers["if-none-match"] = tag;
  for (let attempt = 0; ; attempt += 1) {
    const reply = await fetch(path, { method, headers, signal, cache: "no-store", body: body && JSON.stringify(body) })
      .catch((error) => {
        if (error.name === "AbortError") throw error;
        return { ok: false, status: 503, lost: true };
      });
    if (reply.ok) return [await reply.json(), reply.headers.get("etag")];
    if (reply.status === 304) return [null, tag];
    if (reply.status === 503 && attempt < patience) {
      await pause(500 * 2 ** attempt);
      continue;
    }
    if (reply.lost) throw Object.assign(new Error("the arena cannot be reached"), { lost: true });
    throw new Refused(reply.status, await reply.json().catch(() => ({})));
  }
}

async function register() {
  const name = `guest-${random().slice(0, 8)}`;
  const body = { name, bio: "a person in a browser", idempotency_key: random() };
  const [view] = await call("POST", "/agents/register", { body });
  Object.assign(guest, { name: view.name, key: view.api_key });
  try {
    localStorage.setItem(KEPT, JSON.stringify({ name: guest.name, key: guest.key }));
  } catch {
    guest.kept = false;
  }
}

// Joins the queue on these terms and waits for a game; `tell` hears what is being done.
export async function sitDown(terms, tell) {
  const body = { ...terms, rated: false, idempotency_key: random() };
  const join = async () => {
    if (!guest.key) {
      tell("Getting a guest name…");
      await register();
    }
    tell("Asking for a seat…");
    return call("POST", "/queue/join", { body });
  };
  let [place] = await join().catch((error) => {
    if (error.status !== 401) throw error;
    // The server that issued the key is gone: register again.
    forget();
    return join();
  });
  // The seat is taken some tenths of a second after the join, so waiting starts with a short look.
  for (let looks = 0; !place.active_game; looks += 1) {
    tell(`house-${terms.house} is taking its seat…`);
    await pause(looks < 8 ? 150 : Math.min(place.poll_after_ms, 1000));
    [place] = await call("GET", "/queue");
    if (place.status === "idle") throw new Error("no opponent was found; try again");
  }
  return place.active_game;
}
