import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const CONFIG = readFileSync(join(ROOT, 'headroom.yaml'), 'utf8');
const TRACE = 'time,pool,pods\n0s,default,1\n10m,default,2\n20m,default,1\n';
const SCALED = `apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: inflate}
spec:
  scaleTargetRef: {name: inflate}
  triggers:
    - type: cron
      metadata: {timezone: UTC, start: 0 9 * * *, end: 0 10 * * *, desiredReplicas: "3"}
`;

/** Runs the command line with an input that comes in two parts, the second one late. */
async function piped(args: readonly string[], input: string) {
  const child = spawn(process.execPath, ['bin/headstart.mjs', ...args], { cwd: ROOT, stdio: 'pipe' });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (output.stdout += chunk));
  child.stderr.on('data', (chunk) => (output.stderr += chunk));
  child.stdin.write(input.slice(0, 20));
  setTimeout(() => child.stdin.end(input.slice(20)), 1_500).unref();
  const code = await new Promise<number | null>((resolve) => child.on('close', (exit) => resolve(exit)));
  return { code, ...output };
}

test.each([
  { args: ['import', 'keda', '-', '--nodepool', 'web'], input: SCALED, says: 'desiredReplicas: 3' },
  { args: ['validate', '-c', '-'], input: CONFIG, says: 'standard input: valid' },
  { args: ['plan', '-c', '-'], input: CONFIG, says: 'lunch' },
  { args: ['simulate', '--demand', '-'], input: TRACE, says: 'this config' },
  { args: ['simulate', '-'], input: TRACE, says: 'this config' },
])('headstart $args waits for a slow writer', async ({ args, input, says }) => {
  const { code, stdout, stderr } = await piped(args, input);
  expect({ code, stderr: stderr.includes('EAGAIN') }).toEqual({ code: 0, stderr: false });
  expect(`${stdout}${stderr}`).toContain(says);
});

test('headstart handle - waits for a slow writer', async () => {
  const override = JSON.stringify({ headroom: 'default', atLeast: 2, for: '30m' });
  const { code, stderr } = await piped(['handle', '-', '--kubeconfig', '/none'], override);
  // It has read the whole override: what it lacks is the cluster.
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^--kubeconfig \/none: does not exist/m),
  });
});

test('standard input can be only one file', async () => {
  const { code, stderr } = await piped(['simulate', '-', '-c', '-'], CONFIG);
  expect(code).toBe(1);
  expect(stderr).toContain('-: cannot be read (standard input was already read)');
});

test('a reader that has seen enough ends the command quietly', async () => {
  const child = spawn(process.execPath, ['bin/headstart.mjs', 'plan', '--to', '7d', '--json'], {
    cwd: ROOT,
    stdio: 'pipe',
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  child.stdout.destroy();
  const code = await new Promise<number | null>((resolve) => child.on('close', (exit) => resolve(exit)));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
