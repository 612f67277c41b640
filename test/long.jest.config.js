/** Simulations that take too long for `npm test`; they need nothing but Node.js either. */
module.exports = {
  ...require('../jest.config'),
  rootDir: '..',
  testRegex: ['\\.long\\.test\\.ts$'],
  testPathIgnorePatterns: ['/node_modules/'],
};
