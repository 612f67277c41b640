/** The suite against a real control plane: one cluster for all files, one file at a time. */
module.exports = {
  ...require('../jest-base'),
  rootDir: '../..',
  roots: ['<rootDir>/test/cluster'],
  maxWorkers: 1,
  testTimeout: 300_000,
  globalSetup: '<rootDir>/test/cluster/global-setup.ts',
  globalTeardown: '<rootDir>/test/cluster/global-teardown.ts',
};
