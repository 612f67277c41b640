import type { LeavingReason } from '../../../../lab/simulator/engine/state/facts';
import { countFacts } from '../../../../lab/simulator/run/count-facts';
import { Meter } from '../../../../lab/simulator/run/meter';

const OPTIONS = { isReal: () => true, priceOf: ({ pricePerHour }: { pricePerHour: number }) => pricePerHour };

test.each<{ name: string; why: LeavingReason; after: number; counted: number }>([
  { name: 'replaces one that Karpenter moved makes nobody wait', why: 'underutilized', after: 1_000, counted: 0 },
  { name: 'comes long after a move counts', why: 'underutilized', after: 6_000, counted: 1 },
  { name: 'replaces one whose node was taken away counts', why: 'interrupted', after: 1_000, counted: 1 },
])('a pod that $name', ({ why, after, counted }) => {
  const meter = new Meter();
  const see = countFacts(meter, OPTIONS);
  const pod = { uid: 'old', namespace: 'default', name: 'web-1', priority: 0, deployment: 'web' };
  see({ kind: 'podEvicted', at: 0, pod, node: 'a', why });
  see({ kind: 'podCreated', at: after, pod: { ...pod, uid: 'new', name: 'web-2' } });
  expect(meter.waitFigures(after).pods).toBe(counted);
});
