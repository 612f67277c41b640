import type { CronWindow } from '../../../../shared/core/windows/window';

export interface Counted {
  readonly window: CronWindow;
  /** How often anything of the window was read. */
  reads(): number;
}

/** A window that counts how often it is read: every day and every edge that is looked at reads it. */
export function counted(window: CronWindow): Counted {
  let reads = 0;
  const counting = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(from, key) {
        reads += 1;
        return Reflect.get(from, key);
      },
    });
  return {
    window: counting({ ...window, start: counting(window.start), end: counting(window.end) }),
    reads: () => reads,
  };
}
