import { Command } from 'commander';
import { addSandbox } from '../../../lab/sandbox/command';
import { readOptions, type SandboxOptions } from '../../../lab/sandbox/sandbox-options';
import { SCENARIOS } from '../../../lab/simulator/scenarios/scenarios';
import { fakeTerminal, NOW, runCli } from '../../cli/run-cli';

/** The options of `headstart sandbox ...`, as the command line reads them. */
function read(...argv: string[]) {
  const root = new Command();
  addSandbox(root, { terminal: fakeTerminal(), root: '', exitCode: 0 });
  const [sandbox] = root.commands;
  sandbox?.parseOptions(argv);
  return readOptions(sandbox?.opts() as SandboxOptions, NOW);
}

test('without flags the console opens with headroom.yaml and the lunch peak', () => {
  expect(read()).toEqual({
    config: 'headroom.yaml',
    scenario: 'lunch',
    seed: 1,
    faults: { lost: 0, doubled: 0, late: 0, apiErrors: 0 },
    speed: 60,
    nodeDelaySeconds: 50,
    untilSeconds: 86_400,
  });
});

test('a headless run takes its length, seed and faults', () => {
  const argv = ['--headless', '--scenario', 'storm', '--until', '2h', '--json', '--seed', '7', '--faults', 'on'];
  expect(read(...argv, '--start', '2026-11-27')).toMatchObject({
    headless: true,
    scenario: 'storm',
    untilSeconds: 7_200,
    json: true,
    seed: 7,
    faults: { lost: 0.1, doubled: 0.1, late: 0.1, apiErrors: 0.1 },
    start: Date.parse('2026-11-27T00:00:00Z'),
  });
});

test('faults can be given one by one', () => {
  expect(read('--faults', 'lost=0.3,api=0.05').faults).toEqual({
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
  { name: 'a date that is none', argv: ['--start', 'noon'], message: 'write a time such as' },
  { name: 'an unknown fault', argv: ['--faults', 'rain=1'], message: '--faults has "rain=1"' },
  { name: 'too many faults', argv: ['--faults', 'lost=0.7,late=0.7'], message: 'more than 1' },
  { name: 'acting on a cluster', argv: ['--act'], message: "unknown option '--act'" },
  { name: 'a kubeconfig that does not exist', argv: ['--kubeconfig', 'no/file'], message: '--kubeconfig no/file' },
  { name: 'a headless real cluster', argv: ['--headless', '--kubeconfig', 'f'], message: 'remove --kubeconfig' },
  {
    name: 'more than one mistake',
    argv: ['--seed', 'x', '--speed', '0', '--until', 'y'],
    message: [
      '--seed is "x"; write a whole number from 0 to 4294967295',
      '--speed is "0"; write a whole number from 1 to 1000',
      '--until is "y"; write a duration such as 90s, 5m or 1h30m',
    ].join('\n'),
  },
])('$name is refused with the fix', async ({ argv, message }) => {
  const { code, err } = await runCli(['sandbox', ...argv]);
  expect(code).toBe(1);
  expect(err).toContain(message);
});

test('the help names every scenario', async () => {
  const { out } = await runCli(['sandbox', '--help'], fakeTerminal({ width: 200 }));
  for (const { id } of SCENARIOS) expect(out).toMatch(new RegExp(`in the simulation: .*\\b${id}\\b`));
});
