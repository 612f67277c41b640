/** The suite against an emulated AWS: one file at a time, each with an emulator of its own. */
module.exports = {
  testEnvironment: 'node',
  rootDir: '../..',
  roots: ['<rootDir>/test/aws'],
  maxWorkers: 1,
  testTimeout: 900_000,
  globalSetup: '<rootDir>/test/aws/global-setup.ts',
  transform: { '^.+\\.[cm]?[jt]sx?$': ['@swc/jest', require('../swc.json')] },
  transformIgnorePatterns: require('../../jest.config').transformIgnorePatterns,
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  modulePathIgnorePatterns: ['<rootDir>/cdk.out', '<rootDir>/dist'],
};
