import { TimerQueue } from './timer-queue';

export class VirtualClock {
  private readonly queue = new TimerQueue<() => void>();
  private time: number;

  constructor(start: number) {
    this.time = start;
  }

  /** The current time in milliseconds since the epoch. */
  readonly now = (): number => this.time;

  nextAt(): number | undefined {
    return this.queue.nextAt;
  }

  /** Schedules a callback; those due at the same instant run in the order in which they were added. */
  at(time: number, run: () => void): void {
    this.queue.add(Math.max(time, this.time), run);
  }

  after(milliseconds: number, run: () => void): void {
    this.at(this.time + milliseconds, run);
  }

  /** Moves to a moment and runs everything due until then, in order. */
  advanceTo(time: number): void {
    if (time < this.time) {
      throw new Error(
        `the clock cannot go back from ${new Date(this.time).toISOString()} to ${new Date(time).toISOString()}`,
      );
    }
    for (let next = this.queue.nextAt; next !== undefined && next <= time; next = this.queue.nextAt) {
      this.time = next;
      for (const run of this.queue.takeDue(next)) run();
    }
    this.time = time;
  }
}

/** Coalesces wake-ups: runs once after the delay of the first, however many follow until then. */
export class Waker {
  private waking = false;

  constructor(
    private readonly clock: VirtualClock,
    private readonly run: () => void,
  ) {}

  wake(delay: number): void {
    if (this.waking) return;
    this.waking = true;
    this.clock.after(delay, () => {
      this.waking = false;
      this.run();
    });
  }
}
