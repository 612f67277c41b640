// Makes what the npm package brings, from the sources of this checkout: npm runs it before it packs.
// Another folder than dist may be given, and --without-types, which take most of the time.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { entryFiles, entryInputs, LIKE, LIVE } from '../../infra/bundling/build-entry';
import { ROOT } from '../../infra/bundling/root';
import { bundledPackages, licensesText } from './licenses';
import { shakenClient } from './shaken-client';
import { writeTypes } from './types';

const [DIST = join(ROOT, 'dist')] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
/** The console's libraries, as its page asks for them. */
const VENDOR = [
  'uplot/dist/uPlot.iife.min.js',
  'uplot/dist/uPlot.min.css',
  ...['lit-html', 'directive', 'directive-helpers', 'directives/repeat'].map((name) => `lit-html/${name}.js`),
];

/** Functions are read from `dist/lambdas`: the package has neither sources nor a compiler. */
const prebuiltLambdas: Plugin = {
  name: 'prebuilt-lambdas',
  setup({ onResolve }) {
    const path = join(ROOT, 'infra/bundling/read-entry.ts');
    onResolve({ filter: /\/build-entry$/ }, () => ({ path }));
  },
};

const VARIANTS = ['', LIVE, LIKE, `${LIVE}${LIKE}`];

/** Every file below `lambdas/` that has a handler; those that run all the time also with what few configs need. */
function lambdaEntries(): readonly string[] {
  return ['runtime', 'deploy'].flatMap((folder) =>
    readdirSync(join(ROOT, 'lambdas', folder))
      .filter((file) => file.endsWith('.ts'))
      .filter((file) => /^export (async function|const) handler\b/m.test(readText('lambdas', folder, file)))
      .map((file) => `${folder}/${file.replace(/\.ts$/, '')}`)
      .sort()
      .flatMap((entry) => (folder === 'runtime' ? VARIANTS.map((variant) => `${entry}${variant}`) : [entry])),
  );
}

function readText(...path: readonly string[]): string {
  return readFileSync(join(ROOT, ...path), 'utf8');
}

/** Most files of a function are those of the others too: each is in the package once, and a list says whose it is. */
function buildLambdas(): readonly Metafile[] {
  const folder = join(DIST, 'lambdas');
  mkdirSync(join(folder, 'files'), { recursive: true });
  return lambdaEntries().map((entry) => {
    const files = entryFiles(entry).map(({ name, contents }) => {
      const file = `files/${createHash('sha256').update(contents).digest('hex').slice(0, 16)}.mjs`;
      writeFileSync(join(folder, file), contents);
      return [name, file];
    });
    mkdirSync(dirname(join(folder, entry)), { recursive: true });
    writeFileSync(join(folder, `${entry}.json`), `${JSON.stringify(Object.fromEntries(files), null, 1)}\n`);
    return entryInputs(entry);
  });
}

async function buildCommandLine(): Promise<Metafile> {
  const { commandLineOptions } = await import('../build.mjs');
  const built = await build({
    ...commandLineOptions,
    outdir: join(DIST, 'command'),
    legalComments: 'none',
    plugins: [prebuiltLambdas, shakenClient],
    metafile: true as const,
  });
  return built.metafile;
}

/** CommonJS, which an app of either kind can import. */
async function buildConstructs(): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { index: 'infra/index.ts' },
    outdir: join(DIST, 'infra'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    // Names stay: CDK shows the names of classes.
    minifySyntax: true,
    minifyWhitespace: true,
    mainFields: ['module', 'main'],
    external: ['aws-cdk-lib', 'constructs'],
    legalComments: 'none',
    plugins: [prebuiltLambdas],
    logLevel: 'warning',
    metafile: true,
  });
  return metafile;
}

function copyVendor(): void {
  for (const file of VENDOR) {
    const target = join(DIST, 'vendor', file);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(ROOT, 'node_modules', file), target);
  }
}

async function buildPackage(): Promise<void> {
  for (const made of ['command', 'infra', 'types', 'lambdas', 'vendor'])
    rmSync(join(DIST, made), { recursive: true, force: true });
  const inputs = [...buildLambdas(), await buildCommandLine(), await buildConstructs()];
  copyVendor();
  if (!process.argv.includes('--without-types')) writeTypes(join(DIST, 'types'));
  const bundled = bundledPackages(inputs, ['uplot', 'lit-html']);
  writeFileSync(join(DIST, 'third-party-licenses.txt'), licensesText(bundled));
  // For the release; not part of the package.
  writeFileSync(join(DIST, 'third-party.json'), `${JSON.stringify(bundled, null, 1)}\n`);
}

void buildPackage();
