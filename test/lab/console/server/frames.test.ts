import fc from 'fast-check';
import { Frames } from '../../../../lab/console/server/frames';
import type { PoolView, Snapshot } from '../../../../lab/console/snapshot/snapshot';

const { mergeFrame } = require('../../../../lab/console/page/lib/merge-frame.js');

const name = fc.constantFrom('web', 'ci', 'q"uote', 'shop');
const named = <T extends object>(facts: fc.Arbitrary<T>) =>
  fc.uniqueArray(
    fc.tuple(name, facts).map(([name, rest]) => ({ name, ...rest })),
    { selector: (one) => one.name },
  );
/** Few values, so that much stays the same; the lists of a headroom are the same objects then. */
const lists = [[], [{ at: 1 }], [{ at: 2 }, { at: 3 }]] as const;
const list = fc.constantFrom(...lists);
const snapshots = fc.array(
  fc.record({
    clusterName: fc.constantFrom('a', 'b'),
    pools: named(fc.record({ wanted: fc.nat(2), timeline: list, plan: list, bands: list })),
    nodes: named(fc.record({ load: fc.nat(2) })),
    pods: named(fc.record({ waitedMs: fc.nat(2) })),
  }),
  { minLength: 1, maxLength: 6 },
) as unknown as fc.Arbitrary<readonly Snapshot[]>;

test('frames put together are the snapshots, from whichever one a page begins', () => {
  fc.assert(
    fc.property(snapshots, fc.nat(5), (all, first) => {
      const frames = new Frames();
      let shown: Snapshot | undefined;
      for (const [index, snapshot] of all.entries()) {
        const frame = frames.next(snapshot);
        if (index < first) continue;
        const received = index === first ? new Frames().next(snapshot) : frame;
        shown = mergeFrame(shown, JSON.parse(received));
        expect(shown).toEqual(snapshot);
      }
    }),
  );
});

test('what stays the same is only its name', () => {
  const frames = new Frames();
  const pool = { name: 'web', timeline: [{ at: 1 }], plan: [], bands: [] } as unknown as PoolView;
  const snapshot = {
    clusterName: 'c',
    pools: [pool],
    nodes: [{ name: 'n' }],
    pods: [{ name: 'p' }],
  } as unknown as Snapshot;
  frames.next(snapshot);
  expect(JSON.parse(frames.next(snapshot))).toEqual({ clusterName: 'c', pools: ['web'], nodes: ['n'], pods: ['p'] });
  const moved = { ...snapshot, pools: [{ ...pool, timeline: [] }] };
  expect(JSON.parse(frames.next(moved)).pools).toEqual([{ name: 'web', timeline: [] }]);
});
