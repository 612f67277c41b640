import type { Kept } from '../../shared/core/live/kept-parts';
import type { LiveInput, LivePool, LiveSchedules } from '../../shared/core/live/live-schedules';
import { readKept } from '../../shared/core/live/read-kept';
import { type HandlingStrategy, REAL_STRATEGY } from './environment/strategy';
import type { PlantedBug } from './planted-bugs';

type Effective = LiveSchedules['effective'];

/** Live schedules of which one part is replaced. */
function withLive(change: (live: LiveSchedules) => Partial<LiveSchedules>): HandlingStrategy {
  return {
    ...REAL_STRATEGY,
    live: (name, config, transport) => {
      const { live, ...ports } = REAL_STRATEGY.live(name, config, transport);
      return live ? { ...ports, live: { ...live, ...change(live) } } : ports;
    },
  };
}

function effectively(change: (input: LiveInput, effective: Effective) => Promise<LivePool>): HandlingStrategy {
  return withLive((live) => ({ effective: (input) => change(input, live.effective) }));
}

/** What would count if a Deployment kept something else. */
function keeping(
  kept: Kept | undefined,
  { seen: _seen, annotation: _before, ...input }: LiveInput,
  effective: Effective,
) {
  return effective({ ...input, annotation: kept && JSON.stringify(kept) });
}

/** The new base with the windows of before. */
async function halfAnEdit(input: LiveInput, effective: Effective): Promise<LivePool> {
  const [result, before] = [await effective(input), readKept(input.annotation)];
  if (!result.kept || !before || result.kept.hash === before.hash) return result;
  const { schedules: _new, ...kept } = result.kept;
  return keeping({ ...kept, ...(before.schedules && { schedules: before.schedules }) }, input, effective);
}

async function dropsWhenBroken(input: LiveInput, effective: Effective): Promise<LivePool> {
  const result = await effective(input);
  if (!result.kept?.refused) return result;
  const { base: _base, schedules: _schedules, ...kept } = result.kept;
  return keeping(kept, input, effective);
}

/** No earlier than if a schedule fired on its edges. */
async function noEarlier(input: LiveInput, effective: Effective): Promise<LivePool> {
  const { pool, ...result } = await effective(input);
  const windows = pool.windows.map((one) => (one.live ? { ...one, live: { ...one.live, earlyMinutes: 0 } } : one));
  return { ...result, pool: { ...pool, windows } };
}

export const PLANTED_LIVE_BUGS: readonly PlantedBug[] = [
  {
    name: 'live schedules that are deleted stop to count at once, in the middle of a replace too',
    strategy: effectively((input, effective) =>
      effective(input.seen?.kind === 'gone' ? { ...input, annotation: undefined } : input),
    ),
    found: /live is/,
  },
  {
    name: 'live schedules outlive their deletion',
    strategy: effectively(({ seen, ...input }, effective) =>
      effective(seen?.kind === 'gone' ? input : { ...input, seen }),
    ),
    found: /live is|keeps live schedules that are gone/,
  },
  {
    name: 'a broken text drops the live schedules that are kept',
    strategy: effectively(dropsWhenBroken),
    found: /live is/,
  },
  {
    name: 'half of an edit counts',
    strategy: effectively(halfAnEdit),
    found: /live is/,
  },
  {
    name: 'functions that do not read live schedules drop them',
    strategy: {
      ...REAL_STRATEGY,
      live: (name, config, transport) => (name === 'reconcile' ? REAL_STRATEGY.live(name, config, transport) : {}),
    },
    found: /live is/,
  },
  {
    name: 'a ConfigMap that cannot be read counts as gone',
    strategy: withLive(({ read }) => ({
      ...(read && {
        read: async (now) => {
          const text = await read(now);
          return text.kind === 'unread' ? { kind: 'gone' } : text;
        },
      }),
    })),
    found: /live is|live problem is|did not fail/,
  },
  {
    name: 'every error of an unreadable ConfigMap is written',
    strategy: effectively((input, effective) => {
      const { unread, ...kept } = readKept(input.annotation) ?? {};
      return effective(
        unread && input.seen?.kind === 'unread' ? { ...input, annotation: JSON.stringify(kept) } : input,
      );
    }),
    found: /live unread is/,
    seed: 1,
  },
  {
    name: 'a time-out of the ConfigMap fails the heartbeat at once',
    strategy: effectively(async (input, effective) => {
      const result = await effective(input);
      return input.seen?.kind === 'unread' ? { ...result, isUnread: true } : result;
    }),
    found: /fails: ReconcileError: reading the live schedules/,
  },
  {
    name: 'kept live schedules that were broken by hand are not repaired',
    strategy: effectively(({ seen, ...input }, effective) =>
      effective(readKept(input.annotation)?.broken !== undefined ? input : { ...input, seen }),
    ),
    found: /live is/,
  },
  {
    name: 'an edit that mends a broken text is lost',
    strategy: effectively(({ seen, ...input }, effective) =>
      effective(readKept(input.annotation)?.refused && seen?.kind === 'text' ? input : { ...input, seen }),
    ),
    found: /live (is|unread is|problem is)|does not say what is wrong/,
  },
  {
    name: 'live windows are requested no earlier than those with schedules on their edges',
    strategy: effectively(noEarlier),
    seed: 8,
    found: /is not requested|replicas is|reasons is|verdict of/,
  },
];
