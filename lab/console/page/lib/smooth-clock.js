/** @import { ClockView } from '../../snapshot/snapshot' */

/** Longer than the time between two snapshots; without snapshots the clock stops instead of running on. */
const MAX_GUESS_MS = 1_000;

/** Estimates the time between two snapshots, so that the page moves smoothly at any speed. */
export function createSmoothClock() {
  /** @type {ClockView | undefined} */
  let clock;
  let heardAt = 0;
  let shown = 0;

  return {
    /** @param {ClockView} view @param {number} realNow */
    hear(view, realNow) {
      const restarted = !clock || view.startedAt !== clock.startedAt || view.now < clock.now;
      clock = view;
      heardAt = realNow;
      if (restarted || view.paused) shown = view.now;
    },
    /** @param {number} realNow @returns {number} never earlier than what was shown before */
    now(realNow) {
      if (!clock) return 0;
      const passed = clock.paused ? 0 : Math.min(realNow - heardAt, MAX_GUESS_MS);
      shown = Math.max(shown, clock.now + passed * clock.speed);
      return shown;
    },
  };
}
