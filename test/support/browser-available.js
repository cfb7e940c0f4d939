const { findProgram } = require('./mysql-available.js');

/** Debian's chromium, or another build of it that is on the PATH; undefined when there is none. */
const findChromium = () => findProgram('chromium', 'chromium-browser', 'google-chrome');

/** coturn; undefined when there is none. */
const findTurnServer = () => findProgram('turnserver');

/** Whether calls can be tried out between two browsers here. */
const browserIsAvailable = () => Boolean(findChromium() && findTurnServer());

module.exports = { findChromium, findTurnServer, browserIsAvailable };
