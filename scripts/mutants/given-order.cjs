const { default: Sequencer } = require('@jest/test-sequencer');

/** Runs the test files in the order in which they were asked for: those that are likely to notice come first. */
module.exports = class extends Sequencer {
  sort(tests) {
    const order = (process.env.MUTANT_TESTS ?? '').split(',');
    return [...tests].sort((a, b) => order.indexOf(a.path) - order.indexOf(b.path));
  }
};
