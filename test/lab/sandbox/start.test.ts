import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../simulator/run/eventually';

const ROOT = join(__dirname, '../../..');

test.each(['SIGINT', 'SIGTERM'] as const)('the process prints its address and ends with 0 on %s', async (signal) => {
  const child = spawn(process.execPath, ['bin/headstart.mjs', 'sandbox', '--port', '0'], { cwd: ROOT, stdio: 'pipe' });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const exited = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)));
  try {
    await eventually('the address', () => {
      if (child.exitCode !== null) throw new Error(output);
      return output.includes('Ctrl-C');
    });
    expect(output).toMatch(/console +http:\/\/127\.0\.0\.1:\d+\//);
    const kubeconfig = /KUBECONFIG=(\S+)/.exec(output)?.[1] ?? '';
    expect(existsSync(kubeconfig)).toBe(true);
    child.kill(signal);
    expect(await exited).toBe(0);
    expect(existsSync(kubeconfig)).toBe(false);
  } finally {
    child.kill('SIGKILL');
  }
});
