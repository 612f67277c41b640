import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { name, version } from '../../package.json';
import { runCommand } from '../cluster/harness/process/run-command';
import { packed } from './harness/packed';

const ROOT = join(__dirname, '..', '..');

const STEM = `${name}-${version}`;

test('a release is tarball, SBOM, licences and an exported template', () => {
  const out = packed().release;
  expect(readdirSync(out).sort()).toEqual(
    ['SHA256SUMS', 'export', `${STEM}.cdx.json`, `${STEM}.licenses.txt`, `${STEM}.tgz`].sort(),
  );
  for (const line of readFileSync(join(out, 'SHA256SUMS'), 'utf8').trim().split('\n')) {
    const [sum, file = ''] = line.split('  ');
    expect({ file, sum }).toEqual({ file, sum: sha256(join(out, file)) });
  }

  const { components } = JSON.parse(readFileSync(join(out, `${STEM}.cdx.json`), 'utf8'));
  expect(components.length).toBeGreaterThan(30);
  expect(components.filter((one: { hashes?: unknown }) => one.hashes === undefined)).toEqual([]);
  const licenses = readFileSync(join(out, `${STEM}.licenses.txt`), 'utf8');
  for (const { group, name: own, version: its } of components)
    expect(licenses).toContain(`${group === undefined ? own : `${group}/${own}`} ${its} (`);
});

test('what it brings is the same when it is built again', async () => {
  const again = join(packed().root, 'again');
  const program = join(ROOT, 'node_modules', '.bin', 'tsx');
  await runCommand({ program, args: ['scripts/package/build.ts', again, '--without-types'], cwd: ROOT });
  const packedFiles = sumsIn(join(packed().alone, 'node_modules', 'headstart', 'dist'));
  expect(sumsIn(again).filter(([file]) => file !== 'third-party.json')).toEqual(
    packedFiles.filter(([file]) => !file.startsWith('types/')),
  );
  expect(packedFiles.length).toBeGreaterThan(50);
});

function sumsIn(folder: string): readonly (readonly [string, string])[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return paths.map((path) => [path.slice(folder.length + 1), sha256(path)]);
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
