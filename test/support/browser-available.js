const { findProgram } = require('./mysql-available.js');

/**
 * Chromium: Debian's build without windows, which takes a third less processor time, or another build on the PATH. Undefined when
 * there is none.
 */
const findChromium = () =>
  findProgram('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome');

/** coturn; undefined when there is none. */
const findTurnServer = () => findProgram('turnserver');

/** Whether calls can be tried out between two browsers here. */
const browserIsAvailable = () => Boolean(findChromium() && findTurnServer());

module.exports = { findChromium, findTurnServer, browserIsAvailable };
