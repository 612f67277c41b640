import type { Action, Scenario, Setting } from '../scenarios/scenario';

const CHUNK_MS = 6 * 3_600_000;

/** A scenario's actions as time goes on, computed a few hours ahead. */
export class ActionFeed {
  private ahead: Action[] = [];
  private workedOutTo: number;

  constructor(
    private readonly scenario: Scenario,
    private readonly setting: Setting,
    from: number,
  ) {
    this.workedOutTo = from;
  }

  /** When the next action is due, or when to compute more of them. */
  nextAt(): number {
    return this.ahead[0]?.at ?? this.workedOutTo;
  }

  takeDue(now: number): readonly Action[] {
    const due: Action[] = [];
    for (;;) {
      while ((this.ahead[0]?.at ?? Number.POSITIVE_INFINITY) <= now) due.push(...this.ahead.splice(0, 1));
      if (this.ahead.length > 0 || this.workedOutTo > now) return due;
      const from = this.workedOutTo;
      this.workedOutTo = from + CHUNK_MS;
      this.ahead = [...this.scenario.actions(this.setting, from, this.workedOutTo)];
    }
  }
}
