import { readOptions } from '../../../cli/sandbox/options';

test('without flags the console opens with headroom.yaml and the lunch peak', () => {
  expect(readOptions([])).toEqual({
    mode: 'console',
    config: 'headroom.yaml',
    scenario: 'lunch',
    seed: 1,
    faults: { lost: 0, doubled: 0, late: 0, apiErrors: 0 },
    speed: 60,
    nodeDelaySeconds: 50,
    act: false,
    untilSeconds: 86_400,
    json: false,
  });
});

test('a headless run takes its length, seed and faults', () => {
  const argv = ['--headless', '--scenario', 'storm', '--until', '2h', '--json', '--seed', '7', '--faults', 'on'];
  expect(readOptions([...argv, '--start', '2026-11-27'])).toMatchObject({
    mode: 'headless',
    scenario: 'storm',
    untilSeconds: 7_200,
    json: true,
    seed: 7,
    faults: { lost: 0.1, doubled: 0.1, late: 0.1, apiErrors: 0.1 },
    start: Date.parse('2026-11-27T00:00:00Z'),
  });
});

test('faults can be given one by one', () => {
  expect(readOptions(['--faults', 'lost=0.3,api=0.05']).faults).toEqual({
    lost: 0.3,
    doubled: 0,
    late: 0,
    apiErrors: 0.05,
  });
});

test.each([
  { name: 'an unknown flag', argv: ['--hedless'], message: "unknown option '--hedless'" },
  { name: 'an unknown scenario', argv: ['--scenario', 'dinner'], message: 'write one of lunch, market, storm, flash' },
  { name: 'a seed that is no number', argv: ['--seed', 'x'], message: '--seed is "x"; write a whole number' },
  { name: 'a speed beyond the fastest', argv: ['--speed', '5000'], message: 'from 1 to 1000' },
  { name: 'a duration without a unit', argv: ['--until', '24'], message: 'write a duration such as' },
  { name: 'a date that is none', argv: ['--start', 'noon'], message: 'write a date such as' },
  { name: 'an unknown fault', argv: ['--faults', 'rain=1'], message: '--faults has "rain=1"' },
  { name: 'too many faults', argv: ['--faults', 'lost=0.7,late=0.7'], message: 'more than 1' },
  { name: 'act without a cluster', argv: ['--act'], message: '--act goes with --kubeconfig' },
  { name: 'a headless real cluster', argv: ['--headless', '--kubeconfig', 'f'], message: 'leave --kubeconfig out' },
])('$name is refused with what to write', ({ argv, message }) => {
  expect(() => readOptions(argv)).toThrow(message);
});
