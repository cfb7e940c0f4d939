const { endSuiteLog } = require('./suite-log.js');

module.exports = async () => {
  await globalThis.mariadb?.stop();
  endSuiteLog();
};
