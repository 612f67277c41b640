// Loaded by jest before each test file: tells which mutants the file reaches, and ends what loops for ever.
const { appendFileSync } = require('node:fs');

const { MUTANT_REACHED, MUTANT_HIT_LIMIT } = process.env;

globalThis.__stryker__ ??= {};
if (MUTANT_HIT_LIMIT) Object.assign(globalThis.__stryker__, { hitCount: 0, hitLimit: Number(MUTANT_HIT_LIMIT) });
if (MUTANT_REACHED) {
  const begun = performance.now();
  globalThis.afterAll(() => {
    const hits = globalThis.__stryker__.mutantCoverage?.static ?? {};
    const line = { file: globalThis.expect.getState().testPath, hits, ms: performance.now() - begun };
    appendFileSync(MUTANT_REACHED, `${JSON.stringify(line)}\n`);
  });
}
