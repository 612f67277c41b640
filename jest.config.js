const { availableParallelism } = require('node:os');

// Most of what tests allocate is short-lived: with more room for it the workers spend a tenth less time.
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=64`;

/** The suites that need nothing but Node.js. Larger ones have folders and configs of their own. */
module.exports = {
  ...require('./test/jest-base'),
  // What waits is in `test:real`; each worker more would load CDK and compile the modules once more.
  maxWorkers: availableParallelism(),
  runtime: '<rootDir>/test/setup/runtime.js',
  globalSetup: '<rootDir>/test/setup/one-file-client.ts',
  moduleNameMapper: { '^@kubernetes/client-node$': require('./test/setup/kube-config-file') },
  // A test that hangs is found all the same, and a busy machine, on which a synth takes long, is not a failure.
  testTimeout: 180_000,
  roots: ['<rootDir>/test'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/(cluster|browser|aws|package)/',
    '\\.(long|real)\\.test\\.ts$',
  ],
  // A worker that has synthesized stacks frees half a gigabyte when it exits, which takes a busy machine longer than
  // the half second after which jest would suspect a leak.
  workerGracefulExitTimeout: 10_000,
};
