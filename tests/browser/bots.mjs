// Agents that play by what the server tells them: they follow `required_action` and choose among the
// legal moves, towards the middle of the board.

export class Arena {
  constructor(base) {
    this.base = base;
  }

  // A request that came too soon is sent again when the server says it may come.
  async call(method, path, key, body) {
    const headers = { "content-type": "application/json" };
    if (key) headers.authorization = `Bearer ${key}`;
    const request = { method, headers, body: body && JSON.stringify(body) };
    for (;;) {
      const reply = await fetch(this.base + path, request);
      const view = await reply.json();
      if (reply.ok) return view;
      if (reply.status !== 429) throw new Error(`${method} ${path}: ${reply.status} ${view.detail}`);
      await new Promise((done) => setTimeout(done, 1000 * Number(reply.headers.get("retry-after"))));
    }
  }

  async register(name, bio) {
    const { api_key } = await this.call("POST", "/agents/register", null, { name, bio });
    return new Bot(this, name, api_key);
  }

  // Seats two bots at one table and says which game it is.
  async seat(one, other, ruleset = "renju_taraguchi10_international", pool = "standard") {
    for (const bot of [one, other]) {
      await this.call("POST", "/queue/join", bot.key, { ruleset, pool, house: false });
    }
    for (let tries = 0; tries < 200; tries += 1) {
      const views = await Promise.all([one, other].map((bot) => bot.get("/queue")));
      const [a, b] = views.map((view) => view.active_game);
      if (a && a === b) return a;
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error("the two were not seated at one table");
  }
}

export class Bot {
  constructor(arena, name, key) {
    Object.assign(this, { arena, name, key });
  }

  get(path) {
    return this.arena.call("GET", path, this.key);
  }

  // Makes the decision that is due, if it is this bot's; `choose` picks a point among the legal ones.
  async act(game, choose) {
    const view = await this.get(`/games/${game}`);
    const due = view.required_action;
    if (!due) return view;
    const body = { ...due.example, idempotency_key: `${game}-${view.turn_number}` };
    const legal = view.legal_moves ?? [];
    if (due.path.endsWith("/move") && legal.length > 0) {
      delete body.x;
      delete body.y;
      body.point = choose(legal, view).name;
    }
    return this.arena.call(due.method, due.path, this.key, body);
  }
}

// A point near the middle, with a little chance from a seed, so that games differ and repeat.
export function nearTheMiddle(seed) {
  let state = seed;
  const chance = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
  return (legal, view) => {
    const middle = (view.board.length - 1) / 2;
    const far = (point) => Math.hypot(point.x - middle, point.y - middle) + 2.5 * chance();
    return legal.map((point) => [far(point), point]).sort((a, b) => a[0] - b[0])[0][1];
  };
}

// Plays until `turns` decisions are made or the game is over.
export async function play(one, other, game, turns, choose) {
  for (;;) {
    for (const bot of [one, other]) {
      const view = await bot.act(game, choose);
      if (view.result || view.turn_number >= turns) return view;
    }
  }
}

// Plays these points in turn, whoever is to act.
export async function script(arena, one, other, id, points) {
  let view;
  for (const name of points.split(" ")) {
    const [mine, theirs] = await Promise.all([one, other].map((bot) => bot.get(`/games/${id}`)));
    const bot = mine.required_action ? one : other;
    const { turn_number } = mine.required_action ? mine : theirs;
    view = await arena.call("POST", `/games/${id}/move`, bot.key, { point: name, turn_number, idempotency_key: `${id}-${turn_number}` });
  }
  return { id, view };
}
