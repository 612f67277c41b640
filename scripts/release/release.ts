// Makes everything that a release consists of, from one commit: npm run release -- <folder> [--preview]. The same commit makes
// the same bytes. A preview may be made before CHANGELOG.md names the version, and before the name is ours.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from '../../infra/bundling/root';
import { exportStack } from '../../infra/export/export-stack';
import { loadConfig } from '../../infra/load-app-config';
import { description, license, name, version } from '../../package.json';
import { nameProblem, readRegistered } from './own-name';
import { type Component, sbom } from './sbom';

const [folder = 'release'] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const isPreview = process.argv.includes('--preview');
const out = resolve(folder);

/** A release that nobody can read about is not one. */
function checkChangelog(): void {
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  if (!new RegExp(`^## \\[?v?${version.replaceAll('.', '\\.')}\\b`, 'm').test(changelog))
    throw new Error(`CHANGELOG.md has no section for ${version}; write one, or change the version in package.json`);
}

function checkName(): void {
  const problem = nameProblem(name, readRegistered(name));
  if (problem !== undefined) throw new Error(problem);
}

function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** What npm installed, with the hashes that it checked. */
function componentsOf(bundled: readonly Component[]): readonly Component[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; integrity?: string }>;
  };
  const locked = Object.entries(packages);
  return bundled.map((one) => {
    const found = locked.find(
      ([path, { version }]) => path.endsWith(`node_modules/${one.name}`) && version === one.version,
    );
    const integrity = found?.[1].integrity;
    return { ...one, ...(integrity !== undefined && { integrity }) };
  });
}

function exportTo(target: string, at: Date): void {
  const { template, assets } = exportStack(loadConfig(join(ROOT, 'headroom.yaml')), at);
  mkdirSync(join(target, 'assets'), { recursive: true });
  writeFileSync(join(target, 'headstart.template.json'), template);
  for (const [file, contents] of assets) writeFileSync(join(target, 'assets', file), contents);
}

function sums(): string {
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  const lines = paths.map((path) => {
    const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
    return `${digest}  ${path.slice(out.length + 1)}`;
  });
  return `${lines.join('\n')}\n`;
}

function release(): void {
  if (!isPreview) checkName();
  if (!isPreview) checkChangelog();
  const at = new Date(run('git', 'log', '-1', '--format=%cI').trim());
  if (existsSync(out)) rmSync(out, { recursive: true });
  mkdirSync(out, { recursive: true });
  run('npm', 'pack', '--pack-destination', out, '--loglevel=error');
  const bundled = JSON.parse(readFileSync(join(ROOT, 'dist', 'third-party.json'), 'utf8')) as readonly Component[];
  const stem = join(out, `${name}-${version}`);
  const list = sbom({ name, version, license, description, at }, componentsOf(bundled));
  writeFileSync(`${stem}.cdx.json`, `${JSON.stringify(list, null, 2)}\n`);
  copyFileSync(join(ROOT, 'dist', 'third-party-licenses.txt'), `${stem}.licenses.txt`);
  // With the config of the README: what a template looks like before anybody runs anything.
  exportTo(join(out, 'export'), at);
  writeFileSync(join(out, 'SHA256SUMS'), sums());
  process.stdout.write(readFileSync(join(out, 'SHA256SUMS'), 'utf8'));
}

release();
