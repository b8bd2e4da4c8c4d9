// A tree of moves. The first child of a node continues its line, the others are variations.

export class Tree {
  // The main line, as names of points.
  constructor(line) {
    this.root = { point: null, parent: null, children: [], depth: 0 };
    this.current = this.root;
    line.forEach((point) => this.play(point));
  }

  // Goes on to the node of this move, which is new if nobody has played it here.
  play(point) {
    const { current } = this;
    let next = current.children.find((child) => child.point === point);
    if (!next) {
      next = { point, parent: current, children: [], depth: current.depth + 1 };
      current.children.push(next);
    }
    this.current = next;
    return next;
  }

  // Removes the variation the current node is in; true if it was in one.
  cut() {
    let node = this.current;
    while (node.parent && node.parent.children[0] === node) node = node.parent;
    if (!node.parent) return false;
    node.parent.children = node.parent.children.filter((child) => child !== node);
    this.current = node.parent;
    return true;
  }

  back() {
    this.current = this.current.parent ?? this.current;
  }

  on() {
    this.current = this.current.children[0] ?? this.current;
  }

  first() {
    this.current = this.root;
  }

  last() {
    while (this.current.children.length > 0) this.on();
  }

  // The node of the main line after this many moves, or its last.
  main(depth = Infinity) {
    let node = this.root;
    while (node.depth < depth && node.children.length > 0) [node] = node.children;
    return node;
  }

  // The number of moves of the main line before the line of the current node leaves it.
  shared() {
    const line = path(this.current);
    let node = this.root;
    while (node.children[0] && node.children[0] === line[node.depth]) [node] = node.children;
    return node.depth;
  }
}

// The nodes from the first move to this one.
export function path(node) {
  const nodes = [];
  for (let at = node; at.parent; at = at.parent) nodes.unshift(at);
  return nodes;
}

// The moves to this node, as text.
export const moves = (node) => path(node).map(({ point }) => point).join("");
