import type { LoadedConfig } from '../../shared/core/config/read/load';
import { formatProblem } from '../../shared/core/config/yaml/problem';
import { decide } from '../../shared/core/decision/decide';
import { isSameSize, nextDecision } from '../../shared/core/decision/next-decision';
import { EMPTY_RECORD } from '../../shared/core/record/record';
import { compileSchedules } from '../../shared/core/schedules/schedules';

const NOW = Date.parse('2026-11-16T00:00:00Z');

/** Problems with a place each, or a config that survives JSON and that everything else can work with. */
export function checkLoaded(loaded: LoadedConfig): void {
  if (!loaded.ok) {
    expect(loaded.problems.length).toBeGreaterThan(0);
    for (const problem of loaded.problems) {
      expect(formatProblem(problem)).toMatch(/^headroom(\.staging)?\.yaml:\d+:\d+: ./);
      expect(formatProblem(problem).length).toBeLessThan(2_000);
    }
    return;
  }
  const { config } = loaded;
  expect(JSON.parse(JSON.stringify(config))).toEqual(config);
  compileSchedules(config, { now: NOW, max: 100 });
  for (const pool of config.headrooms) {
    const here = decide({ pool, record: EMPTY_RECORD, now: NOW });
    const { replicas } = here;
    expect(replicas).toBeGreaterThanOrEqual(Math.min(pool.base, pool.max));
    expect(replicas).toBeLessThanOrEqual(pool.max);
    const next = nextDecision({ pool, record: EMPTY_RECORD, now: NOW });
    expect(next && isSameSize(next, here)).not.toBe(true);
  }
}
