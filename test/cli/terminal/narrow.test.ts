import { join } from 'node:path';
import { program } from '../../../cli/program';
import { table } from '../../../lab/terminal/text-table';
import { textWidth } from '../../../shared/drawing/text-width';
import { fakeTerminal, folderWith, runCli } from '../run-cli';

const WIDTH = 40;
const ROOT = join(__dirname, '../../..');
const full = join(ROOT, 'examples/full.yaml');
const config = join(ROOT, 'headroom.yaml');
const trace = join(folderWith({ 't.csv': 'time,pool,pods\n0s,default,1\n10m,default,2\n20m,default,1\n' }), 't.csv');
/** Commands to paste, names of the user's own files and single words are never broken. */
const UNBROKEN = /^Usage: |^ +\$ |^\S+:\d+:\d+: |\/\S{30}|^\s*(- )?\S+$/;

/** The lines that do not fit. */
function tooWide(text: string): readonly string[] {
  return text.split('\n').filter((line) => textWidth(line) > WIDTH && !UNBROKEN.test(line));
}

describe('at 40 columns', () => {
  test.each([
    { argv: ['plan', full] },
    { argv: ['plan', full, '--to', '7d'] },
    { argv: ['plan', config, '--compare', full] },
    { argv: ['simulate', trace, '-c', config] },
    { argv: ['sandbox', config, '--headless', '--until', '2h'] },
    { argv: ['doctor', config] },
  ])('$argv.0 fits', async ({ argv }) => {
    const { out } = await runCli(argv, fakeTerminal({ width: WIDTH }));
    expect(out.length).toBeGreaterThan(0);
    expect(tooWide(out)).toEqual([]);
  });

  const names = program({ terminal: fakeTerminal(), root: '', exitCode: 0 }).commands.map((command) => command.name());
  test.each([[], ...names.map((name) => [name])])('the help of %s fits', async (...name) => {
    const { out } = await runCli([...name, '--help'], fakeTerminal({ width: WIDTH }));
    expect(tooWide(out)).toEqual([]);
  });

  test('a window that is not open in the plan keeps its rule', async () => {
    const { out } = await runCli(['plan', full, '--from', '2026-11-17'], fakeTerminal({ width: WIDTH }));
    expect(out.replace(/\s+/g, ' ')).toMatch(/not open in this time: new-year-sale \([^)]+\)/);
  });

  test('a table that does not fit leaves nothing out', () => {
    const columns = [
      { title: 'case' },
      ...['pods', 'median', 'worst', 'cost'].map((title) => ({ title, number: true })),
    ];
    const rows = [['this config', '30', '0.1s', '80s', '$17.60']];
    expect(table(columns, rows, 24)).toBe(
      ['case:', 'this config', '  pods 30, median 0.1s,', '  worst 80s, cost $17.60'].join('\n'),
    );
  });
});
