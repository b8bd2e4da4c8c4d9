// Two agents play a whole game with the types that openapi-typescript makes of the arena's document.
//
//     node generated.js BASE

import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./api.js";

type GameView = components["schemas"]["GameView"];

const base = process.argv[2]!;

/** What a call answers, or the end of the script. */
function good<T>(answer: { data?: T; error?: components["schemas"]["Problem"] }): T {
  if (answer.data === undefined) throw new Error(answer.error?.detail ?? "no answer");
  return answer.data;
}

async function agent(name: string): Promise<Client<paths>> {
  const registered = await createClient<paths>({ baseUrl: base }).POST("/agents/register", { body: { name } });
  const key = good(registered).api_key;
  return createClient<paths>({ baseUrl: base, headers: { Authorization: `Bearer ${key}` } });
}

/** What a player sends: it swaps once, offers ten, and fills its own end of the board. */
async function decide(client: Client<paths>, view: GameView): Promise<GameView> {
  const params = { path: { id: view.game_id } };
  const turn = { turn_number: view.turn_number, idempotency_key: `${view.game_id}-${view.turn_number}` };
  switch (view.phase) {
    case "swap":
      return good(await client.POST("/games/{id}/swap", { params, body: { swap: view.turn_number === 1, ...turn } }));
    case "fifth": {
      const candidates = view.required_action!.alternatives[0]!.example.candidates as string[];
      return good(await client.POST("/games/{id}/offer10", { params, body: { candidates, ...turn } }));
    }
    default: {
      const point = view.legal_moves!.at(view.you!.color === "black" ? 0 : -1)!.name;
      return good(await client.POST("/games/{id}/move", { params, body: { point, ...turn } }));
    }
  }
}

const players = [await agent("tess"), await agent("tom")];
for (const player of players) {
  good(await player.POST("/queue/join", { body: { house: false } }));
}
let id: string | null = null;
while (id === null) {
  id = good(await players[0]!.GET("/queue")).active_game;
  await new Promise((done) => setTimeout(done, 300));
}
const params = { path: { id } };
const refused = await players[0]!.POST("/games/{id}/move", {
  params,
  body: { point: "a1", turn_number: 99, idempotency_key: "k" },
});
if (refused.error?.code !== "turn_mismatch") throw new Error(`not refused: ${refused.error?.code}`);
const kinds = new Set<string>();
let view = good(await players[0]!.GET("/games/{id}", { params }));
while (view.status === "live") {
  for (const player of players) {
    view = good(await player.GET("/games/{id}", { params }));
    if (view.required_action) {
      view = await decide(player, view);
      kinds.add(view.moves!.at(-1)!.kind);
    }
  }
}
for (const kind of ["place", "swap", "keep", "offer", "choose"]) {
  if (!kinds.has(kind)) throw new Error(`nobody decided to ${kind}`);
}
const text = good(await players[0]!.GET("/games/{id}/text", { params, parseAs: "text" }));
if (!text.startsWith("Game ")) throw new Error(text);
console.log(`TypeScript client: ${view.moves!.length} decisions, ${view.result?.winner} wins by ${view.result?.reason}`);
