const { endSuiteLog } = require('./suite-log.js');

module.exports = async () => endSuiteLog();
