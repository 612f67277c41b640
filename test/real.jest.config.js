const { runtime: _, ...base } = require('../jest.config');

/** What waits for real processes or the real clock, and CDK's own checks of the stacks. */
module.exports = {
  ...base,
  rootDir: '..',
  testRegex: ['\\.real\\.test\\.ts$'],
  testPathIgnorePatterns: ['/node_modules/'],
};
