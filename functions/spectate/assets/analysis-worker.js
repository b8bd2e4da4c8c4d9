// Runs the engine beside the page. The first message holds the compiled module, every other one a task.

import { start } from "./renju.js";

// Nodes of one search after the other while a position is looked at: some seconds in all.
const BUDGETS = [1_000, 4_000, 16_000, 64_000, 256_000, 1_000_000];
const FOURS_NODES = 100_000;

const pause = () => new Promise((done) => setTimeout(done));
let ask = null;
let newest = 0;

// Evaluates a position, longer and longer until another is asked for.
async function evaluate({ id, rules, stones }) {
  const [black, white] = ask(`fours ${rules} ${FOURS_NODES}\n${stones}`).split("\n");
  postMessage({ id, fours: { black, white } });
  for (const budget of BUDGETS) {
    await pause();
    if (newest !== id) return;
    postMessage({ id, budget });
    const [score, depth, nodes, line] = ask(`think ${rules} ${budget}\n${stones}`).split(" ");
    postMessage({ id, score: Number(score), depth: Number(depth), nodes: Number(nodes), line });
    // A forced win or loss does not change any more.
    if (Math.abs(score) > 29_000 || Number(nodes) < budget / 2) break;
  }
  postMessage({ id, budget: 0 });
}

// Reviews a line from its end, one position after the other.
async function review({ id, rules, stones, nodes }) {
  const total = Number(ask(`review ${rules} ${nodes}\n${stones}`));
  for (let done = 1; done <= total; done += 1) {
    ask("value");
    postMessage({ id, done, total });
    await pause();
    if (newest !== id) return;
  }
  postMessage({ id, review: ask("judge") });
}

onmessage = async ({ data }) => {
  if (data.module) {
    ask = start(data.module);
    return;
  }
  newest = data.id;
  try {
    if (typeof ask !== "function") ask = await ask;
    if (newest === data.id) await (data.review ? review(data) : evaluate(data));
  } catch (error) {
    postMessage({ id: data.id, trouble: error.message });
  }
};
