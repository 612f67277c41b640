const HOUR = 3_600_000;

interface Metered {
  readonly pricePerHour: number;
  realPods: number;
  countedTo: number;
}

export interface Cost {
  readonly total: number;
  /** The time in which a node ran no real pod: headroom, and nodes that start or idle. */
  readonly headroom: number;
  readonly nodeHours: number;
}

/** Adds up what nodes cost, from their launch until they are gone. */
export class CostMeter {
  private readonly nodes = new Map<string, Metered>();
  private total = 0;
  private headroom = 0;
  private milliseconds = 0;

  nodeStarted(name: string, pricePerHour: number, at: number): void {
    if (!this.nodes.has(name)) this.nodes.set(name, { pricePerHour, realPods: 0, countedTo: at });
  }

  nodeGone(name: string, at: number): void {
    const node = this.nodes.get(name);
    if (!node) return;
    this.count(node, at);
    this.nodes.delete(name);
  }

  /** Real pods came to a node (positive) or left it (negative). */
  realPods(name: string, change: number, at: number): void {
    const node = this.nodes.get(name);
    if (!node) return;
    this.count(node, at);
    node.realPods = Math.max(0, node.realPods + change);
  }

  cost(now: number): Cost {
    for (const node of this.nodes.values()) this.count(node, now);
    return { total: this.total, headroom: this.headroom, nodeHours: this.milliseconds / HOUR };
  }

  private count(node: Metered, until: number): void {
    const passed = Math.max(0, until - node.countedTo);
    node.countedTo = Math.max(node.countedTo, until);
    const price = (passed / HOUR) * node.pricePerHour;
    this.milliseconds += passed;
    this.total += price;
    if (node.realPods === 0) this.headroom += price;
  }
}
