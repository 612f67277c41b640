import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith, runCli } from '../cli/run-cli';

const page = readFileSync(join(__dirname, '..', '..', 'docs', 'autoscalers.md'), 'utf8');
const block = (language: string) => new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(page)?.[1] ?? '';

/** Median, longest wait and node-hours of a row, as the page shows them. */
function written(row: string): readonly (string | undefined)[] {
  const line = page.split('\n').find((one) => one.startsWith(`| ${row} |`));
  return (line ?? '')
    .split('|')
    .slice(2, 5)
    .map((cell) => cell.trim());
}

async function simulated(config: string, row: string): Promise<readonly (string | undefined)[]> {
  const folder = folderWith({ 'headroom.yaml': config, 'trace.csv': block('csv') });
  const { out } = await runCli(['simulate', join(folder, 'trace.csv'), '-c', join(folder, 'headroom.yaml')]);
  const cells =
    out
      .split('\n')
      .find((line) => line.startsWith(row))
      ?.slice(row.length)
      .trim()
      .split(/\s+/) ?? [];
  const [, median, , , longest, , , nodeHours] = cells;
  return [median, longest, nodeHours];
}

test.each([
  { row: 'with this config', of: 'this config', config: block('yaml') },
  { row: 'no headroom', of: 'no headroom', config: block('yaml') },
  { row: 'with `addNodes: 4`', of: 'this config', config: block('yaml').replace('addNodes: 8', 'addNodes: 4') },
])('the waits and node-hours $row are what simulate prints for the config and the trace of the page', async (one) => {
  expect(written(one.row)).toEqual(await simulated(one.config, one.of));
});
