const { createRequire } = require('node:module');
const { default: Runtime } = require('jest-runtime');

const CDK = /^(aws-cdk-lib|constructs)(\/|$)/;

// CDK sees the environment of the worker, not of the test. What CloudFormation thinks of the templates is checked by
// nag.real.test.ts.
process.env.CDK_VALIDATION = 'false';

/**
 * jest loads every package anew for every test file, which for CDK takes longer than most of the tests that use it.
 * With this runtime a worker loads CDK once, outside the sandbox.
 */
module.exports = class extends Runtime {
  requireModuleOrMock(from, name) {
    return CDK.test(name) ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
  }
};
