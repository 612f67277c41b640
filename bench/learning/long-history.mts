// How long suggest takes for 90 days of 20 NodePools at one minute, in this checkout and in others in turn:
// npm run bench -- history [FOLDER OF ANOTHER CHECKOUT...]
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { argv, execPath } from 'node:process';

const DAYS = 90;
const POOLS = 20;
const ROUNDS = 3;
const FROM = Date.UTC(2026, 7, 3);
const UNITS = ['{ node: { cpu: 2, memory: 4Gi } }', '{ floor: { cpu: 4, memory: 16Gi } }'];
const NAMES = Array.from({ length: POOLS }, (_, pool) => `pool-${pool + 1}`);
const CONFIG = `cluster: { name: shop, region: eu-central-1 }
nodePools:
${NAMES.map((name, pool) => `  ${name}: { max: 60, leadTime: 5m, unit: ${UNITS[pool % 2]} }`).join('\n')}
`;
/** Prints what the whole process took, at its end. */
const METER = `data:text/javascript,${encodeURIComponent(
  `process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
   process.stderr.write('\\n' + JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, user: userCPUTime / 1e6, memory: maxRSS / 1024 })); })`,
)}`;

let state = 1;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  return (state >>> 0) / 2 ** 32;
}

/** Each NodePool works at its own hours, on weekdays more than at weekends, with noise of two nodes. */
function demandOf(pool: number, day: number, minute: number): number {
  const hour = minute / 60 - (pool % 5);
  const busy = hour >= 8 && hour < 17 ? (day % 7 < 5 ? 20 : 8) + pool : 0;
  const noon = hour >= 11 && hour < 12 ? 6 : 0;
  return Math.round(5 + busy + noon + random() * 2);
}

function writeHistory(file: string): void {
  const out = openSync(file, 'w');
  writeSync(out, 'time,pool,pods\n');
  for (let day = 0; day < DAYS; day += 1) {
    const rows: string[] = [];
    for (let minute = 0; minute < 1_440; minute += 1) {
      const time = new Date(FROM + (day * 1_440 + minute) * 60_000).toISOString();
      for (const [pool, name] of NAMES.entries()) rows.push(`${time},${name},${demandOf(pool, day, minute)}\n`);
    }
    writeSync(out, rows.join(''));
  }
  closeSync(out);
}

function run(checkout: string, folder: string) {
  const command = join(checkout, 'bin', 'headstart.mjs');
  const words = ['suggest', '-c', join(folder, 'headroom.yaml'), '--demand', join(folder, 'history.csv'), '--json'];
  const began = performance.now();
  const { status, stderr } = spawnSync(execPath, ['--import', METER, command, ...words], { maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${checkout}: ${stderr}`);
  return {
    elapsed: (performance.now() - began) / 1_000,
    ...JSON.parse(String(stderr).trim().split('\n').at(-1) ?? ''),
  };
}

const folder = mkdtempSync(join(tmpdir(), 'headstart-history-'));
writeFileSync(join(folder, 'headroom.yaml'), CONFIG);
writeHistory(join(folder, 'history.csv'));
console.log('| checkout | processor time (user), s | elapsed, s | peak of resident memory, MB |\n|---|---|---|---|');
const checkouts = [process.cwd(), ...argv.slice(2).map((path) => resolve(path))];
// The first round builds the command line and warms the disk cache.
for (let round = 0; round <= ROUNDS; round += 1)
  for (const checkout of checkouts) {
    const { cpu, user, elapsed, memory } = run(checkout, folder);
    const cells = [`${cpu.toFixed(2)} (${user.toFixed(2)})`, elapsed.toFixed(1), memory.toFixed(0)];
    if (round > 0) console.log(`| ${[checkout, ...cells].join(' | ')} |`);
  }
rmSync(folder, { recursive: true });
