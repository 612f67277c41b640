import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PATIENCE_MS } from './browser';

const ROOT = join(__dirname, '../..');

/** The lunch peak of a shop, with a rush in its midst, an alarm, and spot nodes. */
export const LUNCH_CONFIG = `cluster:
  name: shop
  region: ap-northeast-2

nodePools:
  orders:
    max: 12
    leadTime: 5m
    unit:
      node: { cpu: 1, memory: 2Gi }
    schedules:
      - name: lunch
        timezone: Asia/Seoul
        start: 30 11 * * *
        end: 30 13 * * *
        desiredReplicas: 4
      - name: rush
        timezone: Asia/Seoul
        start: 0 12 * * *
        end: 45 12 * * *
        desiredReplicas: 7
    alarms:
      - name: queue-depth
        alarmName: orders-queue-depth
        add: 2
        hold: 10m
    interruptions: { surge: 1, max: 4, hold: 15m }
`;

export interface Product {
  readonly url: string;
  /** Replaces the config file that the product watches. */
  writeConfig(text: string): void;
  /** Ends it as Ctrl-C does; resolves to its exit code. */
  stop(): Promise<number | null>;
}

export interface ProductOptions {
  readonly config?: string;
  readonly port?: number;
  readonly args?: readonly string[];
}

/** Starts the console as a user does, over a config file of its own, on a free port. */
export async function startProduct({
  config = LUNCH_CONFIG,
  port = 0,
  args = [],
}: ProductOptions = {}): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), 'headstart-browser-'));
  const file = join(folder, 'headroom.yaml');
  writeFileSync(file, config);
  const command = ['bin/headstart.mjs', 'sandbox', '--config', file, '--port', String(port), ...args];
  const child = spawn(process.execPath, command, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  return {
    url: await addressOf(child),
    writeConfig: (text) => writeFileSync(file, text),
    stop: async () => {
      const code = await end(child);
      rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
}

/** Waits for the address that it prints; what it printed instead is the error. */
function addressOf(child: ChildProcess): Promise<string> {
  let printed = '';
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`the product ${why}:\n${printed}`));
    const timer = setTimeout(() => fail('printed no address'), PATIENCE_MS);
    const read = (chunk: Buffer) => {
      printed += chunk.toString('utf8');
      const address = /http:\/\/127\.0\.0\.1:\d+\//.exec(printed)?.[0];
      if (!address) return;
      clearTimeout(timer);
      resolve(address);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => fail('ended'));
  });
}

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  const force = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  const [code] = await ended;
  clearTimeout(force);
  return code as number | null;
}
