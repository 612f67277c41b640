// Runs jest's tests for StrykerJS inside its own process: a mutant costs a few milliseconds instead of a run of jest.
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const { run, resetState, getState, addEventHandler, ...globals } = require('jest-circus');
const { ModuleMocker } = require('jest-mock');
const { transformFileSync } = require('@swc/core');
const swc = require('../test/swc.json');
const mocker = new ModuleMocker(globalThis);

/** What the instrumented code and StrykerJS tell each other. */
globalThis.__stryker__ ??= {};
const stryker = globalThis.__stryker__;

class CircusRunner {
  static inject = [];

  capabilities() {
    return { reloadEnvironment: true };
  }

  init() {
    // Where every mutant of the code waits to be switched on.
    this.sandbox = process.cwd();
    Object.assign(globalThis, globals, { expect: require('expect').expect, jest: mocker });
    const texts = new Map();
    Module._extensions['.ts'] = (module, file) => {
      if (!texts.has(file)) texts.set(file, transformFileSync(file, { ...swc, swcrc: false }).code);
      module._compile(texts.get(file), file);
    };
    // As in jest, `./x` is the TypeScript file also where a JSON file of that name stands beside it.
    const { '.json': json } = Module._extensions;
    delete Module._extensions['.json'];
    Module._extensions['.json'] = json;
    addEventHandler((event) => {
      if (event.name === 'test_start') stryker.currentTestId = idOf(event.test);
      if (event.name === 'test_done') stryker.currentTestId = undefined;
      // One failure is enough to have noticed a mutant.
      if (event.name === 'test_done' && event.test.errors.length > 0 && stryker.activeMutant !== undefined)
        skip(() => true);
    });
  }

  async dryRun() {
    stryker.activeMutant = undefined;
    stryker.mutantCoverage = { static: {}, perTest: {} };
    const tests = await runTests(this.sandbox);
    return {
      status: 'complete',
      tests: tests.map((test) => ({
        id: idOf(test),
        name: idOf(test),
        status: test.errors.length === 0 ? 0 : 1,
        failureMessage: String(test.errors.flat()[0]),
        timeSpentMs: test.duration ?? 0,
      })),
      mutantCoverage: stryker.mutantCoverage,
    };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    Object.assign(stryker, {
      activeMutant: activeMutant.id,
      hitLimit,
      hitCount: hitLimit === undefined ? undefined : 0,
    });
    const tests = await runTests(this.sandbox, testFilter && new Set(testFilter));
    if (stryker.hitCount > hitLimit) return { status: 'timeout', reason: 'it was reached again and again' };
    const failed = tests.filter(({ errors }) => errors.length > 0);
    if (failed.length === 0) return { status: 'survived', nrOfTests: tests.length };
    const [{ errors }] = failed;
    return {
      status: 'killed',
      nrOfTests: tests.length,
      killedBy: failed.map(idOf),
      failureMessage: String(errors.flat()[0]),
    };
  }
}

/** Loads the tests and the code anew, so that a mutant counts from the first line on. */
async function runTests(sandbox, wanted) {
  for (const file of Object.keys(require.cache))
    if (file.startsWith(sandbox) && file.endsWith('.ts')) delete require.cache[file];
  const load = createRequire(join(sandbox, 'package.json'));
  resetState();
  mocker.restoreAllMocks();
  try {
    for (const file of JSON.parse(process.env.MUTATE_TESTS)) load(join(sandbox, file));
  } catch (error) {
    return [{ name: 'the tests can be loaded', errors: [error] }];
  }
  if (wanted) skip((test) => !wanted.has(idOf(test)));
  await run();
  return testsIn(getState().rootDescribeBlock).filter(({ status }) => status === 'done');
}

function skip(unwanted) {
  for (const test of testsIn(getState().rootDescribeBlock))
    if (test.status === null && unwanted(test)) test.mode = 'skip';
}

function testsIn({ children }) {
  return children.flatMap((child) => (child.type === 'test' ? [child] : testsIn(child)));
}

function idOf({ name, parent }) {
  return parent?.parent ? `${idOf(parent)} ${name}` : name;
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'circus', injectableClass: CircusRunner }];
