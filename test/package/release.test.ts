import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { name, version } from '../../package.json';
import { runCommand } from '../cluster/harness/run-command';
import { packed } from './harness/packed';

const ROOT = join(__dirname, '..', '..');

test('a release is tarball, SBOM, licences and an exported template, and made again its tarball is the same', async () => {
  const out = join(packed().root, 'release');
  const program = join(ROOT, 'node_modules', '.bin', 'tsx');
  await runCommand({ program, args: ['scripts/release/release.ts', out, '--preview'], cwd: ROOT });
  const stem = `${name}-${version}`;
  expect(readdirSync(out).sort()).toEqual(
    ['SHA256SUMS', 'export', `${stem}.cdx.json`, `${stem}.licenses.txt`, `${stem}.tgz`].sort(),
  );

  expect(sha256(join(out, `${stem}.tgz`))).toBe(sha256(packed().tarball));
  for (const line of readFileSync(join(out, 'SHA256SUMS'), 'utf8').trim().split('\n')) {
    const [sum, file = ''] = line.split('  ');
    expect({ file, sum }).toEqual({ file, sum: sha256(join(out, file)) });
  }

  const { components } = JSON.parse(readFileSync(join(out, `${stem}.cdx.json`), 'utf8'));
  expect(components.length).toBeGreaterThan(30);
  expect(components.filter((one: { hashes?: unknown }) => one.hashes === undefined)).toEqual([]);
  const licenses = readFileSync(join(out, `${stem}.licenses.txt`), 'utf8');
  for (const { group, name: own, version: its } of components)
    expect(licenses).toContain(`${group === undefined ? own : `${group}/${own}`} ${its} (`);
});

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
