import type { Random } from '../../../lab/simulator/deterministic/seeded-random';
import type { Deliveries } from '../environment/deliveries';
import type { Stack } from '../environment/stack';
import type { World } from '../environment/world';

const HOUR = 3_600_000;

interface RefusedOverride {
  /** What somebody asks for, by the time and the names of the stack's NodePools. */
  readonly raw: (now: number) => unknown;
  /** What the refusal has to say. */
  readonly says: string | RegExp;
}

const ONE = { headroom: 'web', by: 'ana', reason: 'sale' };
const NO_EXPIRY = 'override needs an expiry: write for (such as "30m") or until (such as "2026-11-27T09:30:00Z")';
const NO_MODE = 'override needs one of atLeast, exactly and addNodes (or release: true)';
const NO_PAIR = 'release does not go with atLeast, exactly or addNodes; write one of them';

const one = (more: object, says: RefusedOverride['says']): RefusedOverride => ({
  raw: () => ({ ...ONE, ...more }),
  says,
});
const REFUSED: readonly RefusedOverride[] = [
  { raw: () => [], says: 'event has no object at the top, got []' },
  { raw: () => null, says: 'event has no object at the top, got null' },
  { raw: () => 'web', says: 'event has no object at the top, got "web"' },
  { raw: () => ONE, says: NO_MODE },
  one({ atLeast: 1, exactly: 1, for: '5m' }, NO_MODE),
  one({ release: true, atLeast: 1 }, NO_PAIR),
  one({ release: true, exactly: 1 }, NO_PAIR),
  one({ atLeast: 1 }, NO_EXPIRY),
  one({ atLeast: 1, for: '5m', until: '2027-01-01T09:00:00Z' }, NO_EXPIRY),
  one(
    { atLeast: 1, for: '5m', size: 3, ttl: 1 },
    'override has unknown keys size, ttl; known are atLeast, exactly, addNodes, headroom, for, until, at, reason, by, release, status',
  ),
  one({ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 }, /^override has unknown keys a, b, c, d, e and 2 more; known are /),
  one({ atLeast: -1, for: '5m' }, 'atLeast must be a whole number of 0 or more, got -1'),
  one({ exactly: 1.5, for: '5m' }, 'exactly must be a whole number of 0 or more, got 1.5'),
  one({ atLeast: '2', for: '5m' }, 'atLeast must be a whole number of 0 or more, got "2"'),
  one({ atLeast: 1, for: 'long' }, 'for must be a duration such as "30m", got "long"'),
  one({ atLeast: 1, for: 5 }, 'for must be a duration such as "30m", got 5'),
  one({ atLeast: 1, for: '0m' }, 'for must be a duration such as "30m", got "0m"'),
  one(
    { atLeast: 1, for: '25h' },
    /^an override lasts at most (24h|1d|86400s), got "25h"; what is permanent belongs in base$/,
  ),
  {
    raw: (now) => ({ ...ONE, atLeast: 1, until: new Date(now + 30 * HOUR).toISOString() }),
    says: /^an override lasts at most \S+, got "202\d-/,
  },
  {
    raw: (now) => ({ ...ONE, atLeast: 1, until: new Date(now - HOUR).toISOString() }),
    says: /^the override is over already: until "202\d-\S+" is not in the future$/,
  },
  {
    raw: (now) => ({ ...ONE, atLeast: 1, at: new Date(now - HOUR).toISOString(), for: '5m' }),
    says: /^the override is over already: until "202\d-\S+" is not in the future$/,
  },
  one(
    { atLeast: 1, until: '2026-11-27 09:30' },
    'until must be a time with its zone, such as "2026-11-27T09:30:00Z", got "2026-11-27 09:30"',
  ),
  one(
    { atLeast: 1, until: '2026-11-27T09:30:00' },
    'until must be a time with its zone, such as "2026-11-27T09:30:00Z", got "2026-11-27T09:30:00"',
  ),
  one({ release: true, at: 7 }, 'at must be a time with its zone, such as "2026-11-27T09:30:00Z", got 7'),
  one({ atLeast: 1, for: '5m', by: 7 }, 'by must be text, got 7'),
  one({ release: true, reason: [] }, 'reason must be text, got []'),
  { raw: () => ({ exactly: 1, for: '5m' }), says: /^override names no headroom; write one of \w+, / },
  { raw: () => ({ headroom: '', release: true }), says: /^override names no headroom; write one of \w+, / },
  one({ headroom: 'shop', release: true }, /^headroom "shop" is not in the config; write one of \w+, /),
  one(
    { headroom: 'shared', release: true },
    /^headroom "shared" is a NodePool with (several headrooms; write one of left, right|the headroom; write (left|right))$/,
  ),
  one(
    { headroom: '*', atLeast: 0, for: '5m' },
    'headroom "*" requires exactly or release; write one headroom for atLeast',
  ),
  one(
    { exactly: 10, for: '5m' },
    /^exactly 10 is above max \d of web; write at most \d, or raise max in the config and deploy$/,
  ),
  one(
    { addNodes: 1, for: '5m' },
    'addNodes requires a floor, and web has node units; write atLeast with the size that you want in all',
  ),
];

export interface RefusedOverridesOptions {
  readonly world: World;
  readonly random: Random;
  readonly deliveries: Deliveries;
  readonly violated: (what: string) => void;
}

/** Somebody sends an override that cannot be: the answer says what is wrong, and nothing is written (which every write checks). */
export function sendRefusedOverride(
  { world, random, deliveries, violated }: RefusedOverridesOptions,
  stack: Stack,
): void {
  const override = REFUSED[Math.floor(random() * REFUSED.length)];
  if (!override) return;
  const raw = override.raw(world.now);
  deliveries.override(stack, raw, (ending, { label }) => {
    if (ending.kind !== 'answered') return;
    const { rejected } = (ending.answer ?? {}) as { readonly rejected?: string };
    const isSaid = typeof override.says === 'string' ? rejected === override.says : override.says.test(rejected ?? '');
    if (!isSaid)
      violated(
        `${label} answered ${JSON.stringify(ending.answer)} to ${JSON.stringify(raw)}, and ${override.says} is right`,
      );
  });
}
