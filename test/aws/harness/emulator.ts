import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually, HopelessError } from '../../cluster/harness/process/eventually';
import { freePorts } from '../../cluster/harness/process/ports';
import { installation } from './shared-installation';

export const REGION = 'ap-northeast-2';
/** moto's own. */
export const ACCOUNT = '123456789012';
/** What moto accepts: anything. */
export const CREDENTIALS = { accessKeyId: 'testing', secretAccessKey: 'testing' };

/** An emulated AWS on loopback. */
export interface Emulator {
  readonly url: string;
  /** The environment in which programs talk to it. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export interface EmulatorOptions {
  /** Where functions are run; without, none is. */
  readonly functionHost?: { readonly url: string; readonly folder: string };
  /** What DescribeCluster answers. */
  readonly kube?: { readonly url: string; readonly caBase64: string };
}

const MAX_STARTS = 5;

/** Starts moto on a free port and waits until it answers. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryStart(options);
    } catch (error) {
      // Another process may have taken the port between the look and the use.
      if (attempt === MAX_STARTS) throw error;
    }
  }
}

async function tryStart({ functionHost, kube }: EmulatorOptions): Promise<Emulator> {
  const [port = 0] = await freePorts(1);
  const said: string[] = [];
  const child = spawn(installation().python, [join(__dirname, 'emulator.py'), '-H', 'localhost', '-p', `${port}`], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // Its calls to the function host stay on this machine, whatever proxy there is.
      NO_PROXY: 'localhost,127.0.0.1',
      no_proxy: 'localhost,127.0.0.1',
      ...(functionHost && {
        HEADSTART_FUNCTION_HOST: functionHost.url,
        HEADSTART_FUNCTIONS: functionHost.folder,
      }),
      ...(kube && { HEADSTART_KUBE_URL: kube.url, HEADSTART_KUBE_CA: kube.caBase64 }),
    },
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said.push(text);
      if (said.length > 200) said.shift();
    });
  const url = `http://localhost:${port}`;
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const answers = async () => {
    if (child.exitCode !== null) throw new HopelessError(`moto ended at once: ${said.join('')}`);
    return (await fetch(`${url}/moto-api/data.json`)).ok;
  };
  await eventually(answers, { what: `moto at ${url}`, timeoutMs: 120_000, intervalMs: 200 }).catch(async (error) => {
    await stop();
    throw error;
  });
  return { url, stop, environment: environmentFor(url) };
}

function environmentFor(url: string): Readonly<Record<string, string>> {
  return {
    AWS_ENDPOINT_URL: url,
    NO_PROXY: 'localhost,127.0.0.1',
    no_proxy: 'localhost,127.0.0.1',
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
  };
}
