/** The suite with the packed npm package: packed and installed once, then used as anybody would. */
module.exports = {
  ...require('../jest-base'),
  rootDir: '../..',
  roots: ['<rootDir>/test/package'],
  maxWorkers: 1,
  testTimeout: 900_000,
  globalSetup: '<rootDir>/test/package/harness/pack.ts',
  globalTeardown: '<rootDir>/test/package/harness/clean.ts',
};
