/** The suites that need nothing but Node.js. Larger ones have folders and configs of their own. */
module.exports = {
  testEnvironment: 'node',
  maxWorkers: '100%',
  roots: ['<rootDir>/test'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/(cluster|browser|aws)/'],
  transform: { '^.+\\.[cm]?[jt]sx?$': ['@swc/jest', require('./test/swc.json')] },
  transformIgnorePatterns: ['/node_modules/(?!(@kubernetes/client-node|openid-client|oauth4webapi|jose)/)'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  modulePathIgnorePatterns: ['<rootDir>/cdk.out', '<rootDir>/dist'],
};
