// Offered fifth moves that count as the same, so that the page can say so while they are picked. The
// server decides.

// The least of the eight pictures of these stones, turned, mirrored and perhaps moved to the corner.
function normal(stones, size, moved) {
  const last = size - 1;
  const pictures = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => {
    const turned = stones.map(([x, y, color]) => {
      const [a, b] = n & 4 ? [y, x] : [x, y];
      return [n & 2 ? last - a : a, n & 1 ? last - b : b, color];
    });
    const [left, low] = moved ? [0, 1].map((i) => Math.min(...turned.map((stone) => stone[i]))) : [0, 0];
    return turned.map(([x, y, color]) => `${x - left},${y - low},${color}`).sort().join(" ");
  });
  return pictures.sort()[0];
}

export const at = (name) => [name.charCodeAt(0) - 97, Number(name.slice(1)) - 1];

// A function that is equal for points that count as the same: `rule` is "point" if a symmetry of the
// board maps one to the other, "figure" if the figures with all stones are congruent.
export function classes(rule, board) {
  const size = board.length;
  const stones = board.flatMap((rank, row) => [...rank]
    .map((stone, x) => [x, size - 1 - row, stone])
    .filter(([, , stone]) => stone !== "."));
  const found = new Map();
  return (name) => {
    if (!found.has(name)) {
      const [x, y] = at(name);
      const whole = rule === "figure" ? [...stones, [x, y, "x"]] : [[x, y, "x"]];
      found.set(name, normal(whole, size, rule === "figure"));
    }
    return found.get(name);
  };
}
