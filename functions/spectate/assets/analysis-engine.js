// The engine as the page sees it: tasks go to a worker, of which only the answers to the newest count.

// Searches of this many nodes are not waited for: a new worker is faster.
const LONG = 64_000;

export class Engine {
  constructor(address, module, hear) {
    Object.assign(this, { address, module, hear, task: 0, budget: 0, worker: null });
  }

  ask(task) {
    if (this.budget >= LONG) this.stop();
    if (!this.worker) this.start();
    this.task += 1;
    this.budget = 0;
    this.worker.postMessage({ ...task, id: this.task });
  }

  start() {
    this.worker = new Worker(this.address, { type: "module" });
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.stop();
      this.hear({ trouble: "the engine stopped" });
    };
    this.worker.onmessage = ({ data }) => {
      if (data.id !== this.task) return;
      if (data.budget !== undefined) this.budget = data.budget;
      else this.hear(data);
    };
    this.worker.postMessage({ module: this.module });
  }

  stop() {
    this.worker?.terminate();
    this.worker = null;
    this.budget = 0;
  }
}

const SCALE = 200;
const WIN = 30_000;

// Moves to the end of the game, if the score proves one.
export const movesToEnd = (score) => (Math.abs(score) > WIN - 1_000 ? Math.ceil((WIN - Math.abs(score)) / 2) : null);

// Black's chance to win, from 0 to 1, as in the engine's own review.
export function chance(score) {
  if (movesToEnd(score) !== null) return score > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-score / SCALE));
}

// A score for Black in words.
export function words(score) {
  const count = movesToEnd(score);
  const color = score > 0 ? "Black" : "White";
  if (count === null) {
    const percent = Math.round(100 * chance(score));
    return percent >= 50 ? `Black ${percent} %` : `White ${100 - percent} %`;
  }
  return count === 0 ? `${color} has won` : count === 1 ? `${color} wins with the next move` : `${color} wins in ${count} moves`;
}
