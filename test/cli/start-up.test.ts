import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(__dirname, '..', '..');

describe('starting the command line', () => {
  test('loads commander and its own few files, and nothing else before a command runs', async () => {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: { main: 'cli/main.ts' },
      outdir: 'dist/cli',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      external: ['aws-cdk-lib', 'constructs', 'esbuild', '@kubernetes/client-node', '@aws-sdk/*', '@smithy/*'],
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
    const loaded = new Set<string>();
    const load = (output: string) => {
      const { inputs, imports } = metafile.outputs[output] ?? { inputs: {}, imports: [] };
      for (const input of Object.keys(inputs)) loaded.add(input);
      for (const { path, kind } of imports) if (kind === 'import-statement' && path in metafile.outputs) load(path);
    };
    load('dist/cli/main.js');
    const packages = [...loaded].filter((input) => input.startsWith('node_modules/'));
    expect(packages.every((input) => input.startsWith('node_modules/commander/'))).toBe(true);
    const notNeeded = /^(lab\/(?!\w+\/command\.ts)|lambdas\/|infra\/|shared\/(adapters|drawing)\/)/;
    expect([...loaded].filter((input) => notNeeded.test(input))).toEqual([]);
  });
});
