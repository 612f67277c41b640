const { createRequire } = require('node:module');
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const CDK = /^(aws-cdk-lib|constructs)(\/|$)/;

// CDK sees the environment of the worker, not of the test. What CloudFormation thinks of the templates is checked by
// nag.real.test.ts.
process.env.CDK_VALIDATION = 'false';
// To note where each construct was made takes a tenth of a synth, because jest maps every stack trace to the sources.
process.env.CDK_CONTEXT_JSON = JSON.stringify({ 'aws:cdk:disable-creation-stack-traces': true });

/**
 * jest loads every module anew for every test file. With this runtime
 * - a worker loads CDK once, outside the sandbox, because that takes longer than most of the tests that use it;
 * - every other module is still run for each file, but as a script, which V8 compiles once per worker. jest's
 *   `compileFunction` is compiled each time, which is half the time of loading.
 * `npx jest test/shared/core --maxWorkers=1` takes 37 s of processor time with it and 50 s without: 1.4 times as much, and
 * nothing there loads CDK.
 */
module.exports = class extends Runtime {
  constructor(...args) {
    super(...args);
    const { executor } = this;
    const head = `(function(${executor.injectedModuleParameters.join(',')}){`;
    executor.compile = (source, filename) => {
      const context = executor.environment.getVmContext();
      if (!context) return null;
      const script = new Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
      return script.runInContext(context);
    };
  }

  requireModuleOrMock(from, name) {
    return CDK.test(name) ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
  }
};
