const { join } = require('node:path');
require('reflect-metadata');

/*
 * Required before the built service (test/faults/recall-killed.spec.ts): the process kills itself, as `kill -9` does, before it takes
 * an announcement out of the fourth batch of inboxes.
 */

const { Inboxes } = require(join(__dirname, '../../dist/src/notifications/services/inboxes.js'));

const BATCHES = 3;
let taken = 0;

const { takeOut } = Inboxes.prototype;
Inboxes.prototype.takeOut = async function (copies) {
  if (taken === BATCHES) {
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => {});
  }
  taken += 1;
  return takeOut.call(this, copies);
};
