const { default: Sequencer } = require('@jest/test-sequencer');

const isSuite = ({ path }) => path.endsWith('.suite.ts');

/** The suites take the longest: begun first, they leave no worker alone at the end. */
module.exports = class SuitesFirst extends Sequencer {
  sort(tests) {
    // oxlint-disable-next-line unicorn/no-array-sort -- jest's own method, of no array
    const sorted = Array.from(super.sort(tests));
    return [...sorted.filter(isSuite), ...sorted.filter((test) => !isSuite(test))];
  }
};
