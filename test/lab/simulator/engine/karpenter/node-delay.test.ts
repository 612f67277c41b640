import { nodeDelay } from '../../../../../lab/simulator/engine/karpenter/node-delay';

const SPREAD = { medianSeconds: 50, spread: 0.35 };
const delays = Array.from({ length: 999 }, (_, order) => nodeDelay(SPREAD, 7, `default ${order}`)).sort(
  (a, b) => a - b,
);

describe('the delay of a node', () => {
  test('without a spread is what it is told to be', () => {
    expect(nodeDelay({ medianSeconds: 50, spread: 0 }, 1, 'default 1')).toBe(50_000);
  });

  test('lies around its median, with a longer tail above', () => {
    const at = (share: number) => (delays[Math.floor(delays.length * share)] ?? 0) / 1000;
    expect(at(0.5)).toBeGreaterThan(46);
    expect(at(0.5)).toBeLessThan(54);
    expect(at(0.95)).toBeGreaterThan(75);
    expect(at(0.95)).toBeLessThan(105);
    expect(at(0.05)).toBeGreaterThan(20);
  });
});
