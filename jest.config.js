/** Packages that ship ES modules only, which jest cannot load as they are. */
const ES_MODULES = [
  '@kubernetes/client-node',
  'openid-client',
  'oauth4webapi',
  'jose',
  'string-width',
  'wrap-ansi',
  'strip-ansi',
  'ansi-regex',
  'ansi-styles',
  'get-east-asian-width',
];

/** The suites that need nothing but Node.js. Larger ones have folders and configs of their own. */
module.exports = {
  testEnvironment: 'node',
  maxWorkers: '100%',
  roots: ['<rootDir>/test'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/(cluster|browser|aws)/'],
  transform: { '^.+\\.[cm]?[jt]sx?$': ['@swc/jest', require('./test/swc.json')] },
  transformIgnorePatterns: [`/node_modules/(?!(${ES_MODULES.join('|')})/)`],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  modulePathIgnorePatterns: ['<rootDir>/cdk.out', '<rootDir>/dist'],
};
