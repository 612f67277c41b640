/**
 * The cycles that edges form between the nodes that `nodeOf` makes of their ends: strongly connected
 * components with more than one member, each with its joints (all edges from one member to another).
 */
export function cyclesIn(edges, nodeOf) {
  const joints = jointsOf(edges, nodeOf);
  return components(joints).map((members) => ({
    members: members.sort(),
    joints: joints
      .filter(({ from, to }) => members.includes(from) && members.includes(to))
      .sort((a, b) => a.edges.length - b.edges.length),
  }));
}

function jointsOf(edges, nodeOf) {
  const joints = new Map();
  for (const edge of edges) {
    const [from, to] = [nodeOf(edge.from), nodeOf(edge.to)];
    if (from === to) continue;
    const name = `${from} ${to}`;
    if (!joints.has(name)) joints.set(name, { from, to, edges: [] });
    joints.get(name).edges.push(edge);
  }
  return [...joints.values()];
}

/** Tarjan's strongly connected components, those of a single node left out. */
function components(joints) {
  const order = new Map();
  const lowest = new Map();
  const open = [];
  const found = [];

  function visit(node) {
    order.set(node, order.size);
    lowest.set(node, order.get(node));
    open.push(node);
    for (const { to } of joints.filter(({ from }) => from === node)) {
      if (!order.has(to)) visit(to);
      if (open.includes(to)) lowest.set(node, Math.min(lowest.get(node), lowest.get(to)));
    }
    if (lowest.get(node) !== order.get(node)) return;
    const members = open.splice(open.indexOf(node));
    if (members.length > 1) found.push(members);
  }

  for (const { from } of joints) if (!order.has(from)) visit(from);
  return found;
}
