import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { ROOT } from '../../infra/bundling/root';

/** A package whose code is part of ours. */
export interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
}

/** What was bundled, found by the files that contribute code, and copied. */
export function bundledPackages(inputs: readonly Metafile[], copied: readonly string[]): readonly Bundled[] {
  const used = inputs
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap((output) => Object.entries(output.inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1])
    .filter((folder) => folder !== undefined);
  const folders = [...new Set([...used, ...copied.map((name) => `node_modules/${name}`)])];
  const found = folders.map(readPackage);
  const unique = new Map(found.map((one) => [`${one.name}@${one.version}`, one]));
  return [...unique.values()].sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

function readPackage(folder: string): Bundled {
  const path = join(ROOT, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${folder} names no license; look at it before it is shipped`);
  const file = readdirSync(path).find((one) => /^licen[cs]e/i.test(one));
  const text = file && existsSync(join(path, file)) ? readFileSync(join(path, file), 'utf8').trim() : '';
  return { name, version, license, text };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The licences of everything that the package brings along; equal texts are written once. */
export function licensesText(packages: readonly Bundled[]): string {
  const texts = [...new Set(packages.map(({ text }) => text))];
  const parts = texts.map((text) => {
    const names = packages
      .filter((one) => one.text === text)
      .map(({ name, version, license }) => `${name} ${version} (${license})`);
    return [...names, '', text || 'No text comes with it.'].join('\n');
  });
  return `${['Headstart brings code of these packages along.', ...parts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
