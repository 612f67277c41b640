import { createHash } from 'node:crypto';
import { purl, sbom } from '../../../scripts/release/sbom';

const RELEASE = {
  name: 'headstart',
  version: '1.2.3',
  license: 'Apache-2.0',
  description: 'nodes',
  at: new Date('2026-11-01T00:00:00Z'),
};

test('every bundled package is listed with its purl, its licence and the hash that npm checked', () => {
  const digest = createHash('sha512').update('code');
  const integrity = `sha512-${digest.copy().digest('base64')}`;
  const { components, dependencies } = sbom(RELEASE, [
    { name: '@aws-sdk/core', version: '3.0.0', license: 'Apache-2.0', integrity },
    { name: 'pako', version: '2.0.0', license: '(MIT AND Zlib)' },
  ]);
  expect(components).toEqual([
    {
      type: 'library',
      'bom-ref': 'pkg:npm/%40aws-sdk/core@3.0.0',
      group: '@aws-sdk',
      name: 'core',
      version: '3.0.0',
      scope: 'required',
      hashes: [{ alg: 'SHA-512', content: digest.digest('hex') }],
      licenses: [{ license: { id: 'Apache-2.0' } }],
      purl: 'pkg:npm/%40aws-sdk/core@3.0.0',
    },
    expect.objectContaining({ name: 'pako', licenses: [{ expression: 'MIT AND Zlib' }] }),
  ]);
  expect(dependencies).toEqual([
    { ref: purl('headstart', '1.2.3'), dependsOn: components.map((one) => one['bom-ref']) },
  ]);
});

test('the same commit makes the same list: its time is the only one in it', () => {
  expect(JSON.stringify(sbom(RELEASE, []))).toBe(JSON.stringify(sbom({ ...RELEASE }, [])));
  expect(sbom(RELEASE, []).metadata.timestamp).toBe('2026-11-01T00:00:00.000Z');
});
