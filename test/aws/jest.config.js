/** The suite against an emulated AWS: one file at a time, each with an emulator of its own. */
module.exports = {
  ...require('../jest-base'),
  rootDir: '../..',
  roots: ['<rootDir>/test/aws'],
  maxWorkers: 1,
  testTimeout: 900_000,
  globalSetup: '<rootDir>/test/aws/global-setup.ts',
};
