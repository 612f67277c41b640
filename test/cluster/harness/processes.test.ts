import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cacheFolder } from './build/cache-folder';
import { eventually } from './process/eventually';
import { identify, isAlive, killProcess, ownIdentity, type ProcessIdentity } from './process/process-identity';
import { runCommand } from './process/run-command';
import { createRun, openRun, readRecords } from './run';
import { describeCluster, sharedCluster } from './shared-cluster';
import { sweepAbandoned, sweepAll } from './sweep';

const TSX = ['--import', 'tsx'];
const { HEADSTART_CACHE } = process.env;
const started: ProcessIdentity[] = [];
const folders: string[] = [];

/** A cache with runs of its own, so that no test ends a cluster that somebody else brought up; programs are shared. */
function separateCache(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headstart-cache-'));
  folders.push(folder);
  mkdirSync(join(folder, 'runs'));
  for (const name of existsSync(cacheFolder()) ? readdirSync(cacheFolder()) : []) {
    if (!name.startsWith('run')) symlinkSync(join(cacheFolder(), name), join(folder, name));
  }
  return folder;
}

/** A process that has nothing to do with any cluster. */
function startBystander(): ProcessIdentity {
  const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'], { stdio: 'ignore' });
  const bystander = identify(pid ?? 0);
  if (bystander === undefined) throw new Error('the bystander did not start');
  started.push(bystander);
  return bystander;
}

function firstLine(program: string, args: readonly string[]): Promise<{ line: string; process: ProcessIdentity }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    child.on('error', reject).on('exit', (code, signal) => reject(new Error(`ended with ${signal ?? code}`)));
    child.stdout.setEncoding('utf8').once('data', (text: string) => {
      const owner = identify(child.pid ?? 0);
      if (owner === undefined) return reject(new Error('the process has ended'));
      started.push(owner);
      resolve({ line: text.trim(), process: owner });
    });
  });
}

afterEach(() => {
  if (HEADSTART_CACHE === undefined) delete process.env.HEADSTART_CACHE;
  else process.env.HEADSTART_CACHE = HEADSTART_CACHE;
  for (const one of started.splice(0)) killProcess(one);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('a sweep', () => {
  const gone: ProcessIdentity = { pid: 999_999_999, identity: 'gone' };

  function recordRun(owner: ProcessIdentity, detached: boolean, recorded: ProcessIdentity): string {
    const { folder } = createRun(detached);
    writeFileSync(join(folder, 'owner.json'), JSON.stringify({ owner, detached }));
    writeFileSync(join(folder, 'processes', 'etcd.1.json'), JSON.stringify({ part: 'etcd', ...recorded }));
    return folder;
  }

  beforeEach(() => {
    process.env.HEADSTART_CACHE = separateCache();
  });

  test('ends the processes of a run whose owner is gone', async () => {
    const bystander = startBystander();
    const folder = recordRun(gone, false, bystander);
    expect(await sweepAbandoned()).toEqual([folder]);
    expect(isAlive(bystander)).toBe(false);
    expect(existsSync(folder)).toBe(false);
  });

  test('spares a process that was given the id of a recorded one', async () => {
    const bystander = startBystander();
    const folder = recordRun(gone, false, { ...bystander, identity: 'an earlier process' });
    expect(await sweepAll()).toEqual([folder]);
    expect(isAlive(bystander)).toBe(true);
  });

  test('spares a run whose owner lives', async () => {
    const bystander = startBystander();
    recordRun(ownIdentity(), false, bystander);
    expect(await sweepAll()).toEqual([]);
    expect(isAlive(bystander)).toBe(true);
  });

  test('spares what is to outlive its owner, unless all is to end', async () => {
    const bystander = startBystander();
    const folder = recordRun(gone, true, bystander);
    expect(await sweepAbandoned()).toEqual([]);
    expect(isAlive(bystander)).toBe(true);
    expect(await sweepAll()).toEqual([folder]);
    expect(isAlive(bystander)).toBe(false);
  });
});

describeCluster('a cluster', () => {
  test('whose owner is killed leaves nothing after a sweep', async () => {
    const script = join(__dirname, '..', 'fixtures', 'own-cluster.ts');
    const { line: folder, process: owner } = await firstLine(process.execPath, [...TSX, script]);
    const records = readRecords(openRun(folder));
    expect(records.map(({ part }) => part)).toEqual(expect.arrayContaining(['etcd', 'kube-apiserver']));
    expect(records.filter((record) => !isAlive(record))).toEqual([]);
    killProcess(owner);
    await eventually(() => !isAlive(owner));
    await sweepAbandoned();
    expect(records.filter(isAlive)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
    const shared = await sharedCluster();
    expect(shared.processOf('kube-apiserver')).toBeDefined();
  });

  test('that was brought up lives until it is taken down', async () => {
    const env = { ...process.env, HEADSTART_CACHE: separateCache() };
    const cli = (...args: readonly string[]) =>
      runCommand({ program: process.execPath, args: [...TSX, join(__dirname, '..', 'cli.ts'), ...args], env });
    try {
      const kubeconfigPath = (await cli('up', '--core')).trim();
      const records = readRecords(openRun(dirname(dirname(kubeconfigPath))));
      expect(records.map(({ part }) => part)).toEqual(expect.arrayContaining(['etcd', 'kube-apiserver']));
      expect(records.filter((record) => !isAlive(record))).toEqual([]);
      await cli('down');
      expect(records.filter(isAlive)).toEqual([]);
      expect(existsSync(kubeconfigPath)).toBe(false);
    } finally {
      await cli('down');
    }
  });
});
