import { Command } from 'commander';
import { addSandbox } from '../../../lab/sandbox/command';
import { readOptions, type SandboxOptions } from '../../../lab/sandbox/sandbox-options';
import { SCENARIOS } from '../../../lab/simulator/scenarios/scenarios';
import { fakeTerminal, NOW, runCli } from '../../cli/run-cli';
import { golden } from '../../golden/golden';

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

const said = golden(`${__dirname}/refused.txt`);

test.each([
  { name: 'an unknown flag', argv: ['--hedless'] },
  { name: 'an unknown scenario', argv: ['--scenario', 'dinner'] },
  { name: 'a date that is none', argv: ['--start', 'noon'] },
  { name: 'an unknown fault', argv: ['--faults', 'rain=1'] },
  { name: 'too many faults', argv: ['--faults', 'lost=0.7,late=0.7'] },
  { name: 'acting on a cluster', argv: ['--act'] },
  { name: 'a kubeconfig that does not exist', argv: ['--kubeconfig', 'no/file'] },
  { name: 'a headless real cluster', argv: ['--headless', '--kubeconfig', 'f'] },
  { name: 'more than one mistake', argv: ['--seed', 'x', '--speed', '5000', '--until', '24'] },
])('$name is refused with the fix', async ({ name, argv }) => {
  const { code, err } = await runCli(['sandbox', ...argv]);
  expect(code).toBe(1);
  said(name, err);
});

test('the help names every scenario', async () => {
  const { out } = await runCli(['sandbox', '--help'], fakeTerminal({ width: 200 }));
  for (const { id } of SCENARIOS) expect(out).toMatch(new RegExp(`in the simulation: .*\\b${id}\\b`));
});
