const { statSync } = require('node:fs');
const { relative } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');
const { ROOT, suiteOf } = require('./selection.js');

/**
 * Runs the longest file first, so that no worker is left with a long one at the end: by the duration of the last run
 * or, for a file without one (a fresh clone), by size. The size of a suite is the sum of its files. Without durations,
 * the client package comes first: its tests mostly wait for connections. If TEST_ORDER is set to a number, files run in
 * an order that it determines instead.
 */
module.exports = class FileOrder extends Sequencer {
  sort(tests) {
    const seed = process.env.TEST_ORDER;
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of jest's sequencer
    if (seed !== undefined) return tests.toSorted((a, b) => hash(seed + a.path) - hash(seed + b.path));
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of jest's sequencer
    const sorted = Array.from(super.sort(tests));
    if (sorted.every(({ duration }) => duration !== undefined)) return sorted;
    const sizes = new Map(sorted.map((test) => [test, sizeOf(test)]));
    return sorted.toSorted((a, b) => compare(sizes.get(b), sizes.get(a)));
  }
};

const compare = (a, b) => (a === b ? 0 : a - b);

function sizeOf({ path, context }) {
  const suite = relative(ROOT, path);
  if (context.config.displayName?.name === 'client') return Infinity;
  const inSuite = (context.config.globals.SUITE_FILES ?? []).filter((file) => suiteOf(file) === suite);
  const files = inSuite.length > 0 ? inSuite : [path];
  return files.reduce((total, file) => total + statSync(file).size, 0);
}

/** FNV-1a, 32 bits. */
function hash(text) {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ character.codePointAt(0), 0x01000193) >>> 0;
  return value;
}
