import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const NOT_COPIED = new Set(['.git', 'node_modules', 'dist', 'cdk.out', 'coverage', 'release']);

/** The tests of `npm test`, and those that wait for real connections and deadlines. */
const JEST_CONFIG = `
const base = require('./jest.config');
module.exports = {
  ...base,
  bail: 1,
  reporters: ['<rootDir>/scripts/mutants/first-failure.cjs'],
  setupFilesAfterEnv: ['<rootDir>/scripts/mutants/jest-hooks.cjs'],
  testSequencer: '<rootDir>/scripts/mutants/given-order.cjs',
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/(cluster|browser|aws|package)/',
    '<rootDir>/test/(?!shared/|lambdas/).*\\\\.real\\\\.test\\\\.ts$',
    '\\\\.long\\\\.test\\\\.ts$',
  ],
};
`;

/** A copy of the project in which mutants can be planted. */
export function newSandbox(): string {
  const root = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'headstart-mutants-'));
  cpSync(root, folder, { recursive: true, filter: (path) => !NOT_COPIED.has(relative(root, path)) });
  for (const name of ['node_modules', 'dist']) symlinkSync(join(root, name), join(folder, name));
  writeFileSync(join(folder, 'mutants.jest.config.js'), JEST_CONFIG);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
  return folder;
}
