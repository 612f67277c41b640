/** The suite against a real control plane: one cluster for all files, one file at a time. */
module.exports = {
  testEnvironment: 'node',
  rootDir: '../..',
  roots: ['<rootDir>/test/cluster'],
  maxWorkers: 1,
  testTimeout: 300_000,
  globalSetup: '<rootDir>/test/cluster/global-setup.ts',
  globalTeardown: '<rootDir>/test/cluster/global-teardown.ts',
  transform: { '^.+\\.[cm]?[jt]sx?$': ['@swc/jest', require('../swc.json')] },
  transformIgnorePatterns: require('../../jest.config').transformIgnorePatterns,
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  modulePathIgnorePatterns: ['<rootDir>/cdk.out', '<rootDir>/dist'],
};
