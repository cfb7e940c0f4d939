const { suiteOf } = require('./suites.js');

/** jest's `filter`: leaves out the files that run in a suite which runs too. */
module.exports = async (files) => {
  const chosen = new Set(files);
  return { filtered: files.filter((file) => !chosen.has(suiteOf(file))) };
};
