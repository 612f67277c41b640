// What the console costs with many NodePools: npm run bench -- console [CHECKOUT...]
// Processor time and bytes of a snapshot and of what the stream sends, and of the page's first paint in a browser.
// With folders of other checkouts as arguments it measures those as well, each in a process of its own.
import { spawnSync } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const checkouts = process.argv.slice(2).length > 0 ? process.argv.slice(2) : ['.'];
console.log(
  '| checkout | NodePools, nodes | start, s | snapshot, ms | snapshot, KB | stream, KB/s at 60× | first paint, ms | page, ms/s |\n|---|---|---|---|---|---|---|---|',
);
for (const folder of checkouts) {
  const root = resolve(folder);
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', resolve(HERE, 'measure-console.mts'), root], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = status ?? 1;
}
