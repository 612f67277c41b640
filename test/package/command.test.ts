import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../package.json';
import { runCommand } from '../cluster/harness/process/run-command';
import { headstart, packed } from './harness/packed';

describe('the installed command', () => {
  test('says its version', () => {
    expect(headstart(packed().alone, ['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  test.each([
    { line: 'validate -c examples/full.yaml', says: 'valid, 7 headrooms of cluster' },
    { line: 'plan --from 2026-11-02 --json', says: '"default"' },
    { line: 'sandbox --headless --scenario lunch --until 6h --json', says: '"simulated": true' },
  ])('runs $line', ({ line, says }) => {
    const { status, stdout, stderr } = headstart(packed().alone, line.split(' '));
    expect({ status, stderr: line.startsWith('sandbox') ? stderr : '' }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(says);
  });

  test('writes an app of its own that synthesizes', async () => {
    const folder = join(packed().withCdk, 'new');
    mkdirSync(folder);
    expect(headstart(folder, ['init', '--app', '--cluster', 'shop']).status).toBe(0);
    const { app } = JSON.parse(readFileSync(join(folder, 'cdk.json'), 'utf8'));
    const [program = '', ...args] = app.split(' ');
    const outdir = join(folder, 'cdk.out');
    await runCommand({
      program,
      args,
      cwd: folder,
      env: { ...process.env, CDK_OUTDIR: outdir, CDK_VALIDATION: 'false' },
    });
    expect(readdirSync(outdir)).toContain('Headstart-shop-us-east-1.template.json');
  });

  test('exports where CDK is installed, and says what to install where it is not', () => {
    const args = ['export', '--out', 'exported', '--s3-bucket', 'my-artifacts'];
    const { status, stdout } = headstart(packed().withCdk, args);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('--s3-bucket my-artifacts') });
    expect(readdirSync(join(packed().withCdk, 'exported', 'assets')).length).toBeGreaterThan(3);
    expect(headstart(packed().alone, args)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('run npm install aws-cdk-lib constructs'),
    });
  });

  test('serves the console with everything that its page loads', async () => {
    const program = join(packed().alone, 'node_modules', '.bin', 'headstart');
    const child = spawn(program, ['sandbox', '--port', '0'], { cwd: packed().alone, stdio: 'pipe' });
    const ended = once(child, 'exit');
    try {
      const url = await consoleUrl(child.stdout);
      const missing: string[] = [];
      const asked = new Set(['/']);
      for (const path of asked) {
        const { ok, text } = await load(url, path);
        if (!ok) missing.push(path);
        for (const next of linksIn(text, path)) asked.add(next);
      }
      expect(missing).toEqual([]);
      expect([...asked]).toEqual(expect.arrayContaining(['/app.js', '/vendor/uplot/uPlot.iife.min.js']));
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
  });
});

async function consoleUrl(output: NodeJS.ReadableStream): Promise<string> {
  let said = '';
  for await (const text of output) {
    said += String(text);
    const [, url] = /console +(http:\S+)/.exec(said) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`the sandbox ended: ${said}`);
}

async function load(url: string, path: string): Promise<{ readonly ok: boolean; readonly text: string }> {
  const response = await fetch(new URL(path, url));
  return { ok: response.ok, text: await response.text() };
}

/** Scripts, styles and modules that a page or a module names. */
function linksIn(text: string, path: string): readonly string[] {
  const named = path === '/' ? /(?:src|href)="([\w./-]+\.(?:js|css|svg))"/g : /from\s*["']([\w./-]+\.js)["']/g;
  return [...text.matchAll(named)].map(([, link = '']) => new URL(link, `http://page${path}`).pathname);
}
