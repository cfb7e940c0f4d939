const { rmSync } = require('node:fs');
const { endSuiteLog } = require('./suite-log.js');

module.exports = async () => {
  rmSync(process.env.TEST_TEMPLATES, { recursive: true, force: true });
  if (process.env.SUITE_LOG !== undefined) endSuiteLog();
};
