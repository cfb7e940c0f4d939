const { findProgram } = require('./mysql-available.js');

/**
 * Returns the path of Chromium: Debian's headless build, which takes a third less processor time, or another build on
 * the PATH. Undefined if none is installed.
 */
const findChromium = () =>
  findProgram('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome');

/** Returns the path of coturn; undefined if it is not installed. */
const findTurnServer = () => findProgram('turnserver');

/** Whether calls between two browsers can be tested on this machine. */
const browserIsAvailable = () => Boolean(findChromium() && findTurnServer());

module.exports = { findChromium, findTurnServer, browserIsAvailable };
