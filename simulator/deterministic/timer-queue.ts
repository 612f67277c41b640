interface Entry<T> {
  readonly at: number;
  /** Keeps what is due at one instant in the order in which it came. */
  readonly order: number;
  readonly item: T;
}

/** What is to happen and when, earliest first. */
export class TimerQueue<T> {
  private readonly heap: Entry<T>[] = [];
  private added = 0;

  get size(): number {
    return this.heap.length;
  }

  /** When the next item is due. */
  get nextAt(): number | undefined {
    return this.heap[0]?.at;
  }

  add(at: number, item: T): void {
    this.heap.push({ at, order: this.added, item });
    this.added += 1;
    this.siftUp(this.heap.length - 1);
  }

  /** Takes out everything that is due, in order. */
  takeDue(now: number): T[] {
    const due: T[] = [];
    for (let first = this.heap[0]; first !== undefined && first.at <= now; first = this.heap[0]) {
      due.push(first.item);
      this.removeFirst();
    }
    return due;
  }

  /** Everything that waits, in no particular order. */
  *items(): Generator<T> {
    for (const { item } of this.heap) yield item;
  }

  clear(): void {
    this.heap.length = 0;
  }

  private removeFirst(): void {
    const last = this.heap.pop();
    if (last === undefined || this.heap.length === 0) return;
    this.heap[0] = last;
    this.siftDown(0);
  }

  private siftUp(start: number): void {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.before(index, parent)) return;
      this.swap(index, parent);
      index = parent;
    }
  }

  private siftDown(start: number): void {
    let index = start;
    for (;;) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      let first = index;
      if (left < this.heap.length && this.before(left, first)) first = left;
      if (right < this.heap.length && this.before(right, first)) first = right;
      if (first === index) return;
      this.swap(index, first);
      index = first;
    }
  }

  private before(a: number, b: number): boolean {
    const [x, y] = [this.heap[a], this.heap[b]];
    if (!x || !y) return false;
    return x.at < y.at || (x.at === y.at && x.order < y.order);
  }

  private swap(a: number, b: number): void {
    const [x, y] = [this.heap[a], this.heap[b]];
    if (!x || !y) return;
    this.heap[a] = y;
    this.heap[b] = x;
  }
}
