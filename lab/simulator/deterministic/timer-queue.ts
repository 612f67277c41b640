import TinyQueue from 'tinyqueue';

interface Entry<T> {
  readonly at: number;
  /** Keeps items that are due at the same instant in insertion order. */
  readonly sequence: number;
  readonly item: T;
}

/** A priority queue of items by due time, earliest first. */
export class TimerQueue<T> {
  private heap = emptyHeap<T>();
  private added = 0;

  get nextAt(): number | undefined {
    return this.heap.peek()?.at;
  }

  add(at: number, item: T): void {
    this.heap.push({ at, sequence: this.added, item });
    this.added += 1;
  }

  takeDue(now: number): T[] {
    const due: T[] = [];
    for (let first = this.heap.peek(); first !== undefined && first.at <= now; first = this.heap.peek()) {
      due.push(first.item);
      this.heap.pop();
    }
    return due;
  }

  /** Everything that waits, in no particular order. */
  *items(): Generator<T> {
    for (const { item } of this.heap.data) yield item;
  }

  clear(): void {
    this.heap = emptyHeap();
  }
}

function emptyHeap<T>(): TinyQueue<Entry<T>> {
  return new TinyQueue<Entry<T>>([], (a, b) => a.at - b.at || a.sequence - b.sequence);
}
