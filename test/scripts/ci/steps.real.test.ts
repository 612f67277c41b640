import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const SCRIPT = resolve(__dirname, '../../../scripts/ci/steps.sh');

function run(...lines: readonly string[]) {
  const script = ['set -euo pipefail', `. ${SCRIPT}`, ...lines].join('\n');
  const { status, stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  return { code: status, output: stdout };
}

/** The table's rows without their seconds. */
function rows(output: string): readonly string[] {
  const [, table = ''] = output.split('== steps\n');
  return [...table.matchAll(/^ +\d+ +\d+ {2}(\S.*)$/gm)].map(([, row = '']) => row);
}

test('a run ends with a table of its steps and its caches', () => {
  const { code, output } = run("step 'the first' echo one", "cache 'browser: warm'", "step 'the second' echo two");

  expect(output).toMatch(/^\n== the first \(at \d+ s\)\none\n\n== the second \(at \d+ s\)\ntwo\n\n== steps\n/);
  expect(rows(output)).toEqual(['ok      the first', 'ok      the second']);
  expect(output).toMatch(/\n {6} +\d+ {2}in all\n\n== caches\nbrowser: warm\n$/);
  expect(code).toBe(0);
});

test('a step that fails ends the run, is named, and the table comes all the same', () => {
  const { code, output } = run("step 'the first' true", "step 'the second' false", "step 'the third' echo three");

  expect(rows(output)).toEqual(['ok      the first', 'FAILED  the second']);
  expect(output).toMatch(/\nFAILED: the second\n$/);
  expect(output).not.toContain('three');
  expect(code).toBe(1);
});

describe('lanes side by side', () => {
  test('fail the run when a step of one fails, and start nothing more', () => {
    const { code, output } = run(
      'broken() { until [ -e "$STEPS/slow" ]; do sleep 0.05; done; echo why; return 3; }',
      'slow() { touch "$STEPS/slow"; until [ -e "$STEPS/failed" ]; do sleep 0.05; done; echo slow; }',
      'failing() { step broken broken; }',
      'waiting() { step slow slow; step more true; }',
      'side_by_side waiting failing',
      "step 'the last' echo last",
    );

    expect(output).toContain('\n== broken\nwhy\n');
    expect(output).toContain('\n== slow\nslow\n');
    expect(rows(output)).toEqual(expect.arrayContaining(['FAILED  broken', 'ok      slow']));
    expect(rows(output)).toHaveLength(2);
    expect(output).toMatch(/\nFAILED: broken\n$/);
    expect(code).toBe(1);
  });
});

test('a run that is interrupted prints what a lane has said so far', () => {
  const { code, output } = run(
    'lane() { step hanging bash -c "echo so far; kill -TERM $$; sleep 1"; }',
    'side_by_side lane',
  );

  expect(output).toContain('\n== unfinished: lane\nso far\n');
  expect(code).toBe(130);
});
