const { join } = require('node:path');
require('reflect-metadata');

/*
 * Required before the built service (test/faults/recall-killed.spec.ts): the process kills itself with SIGKILL before
 * it removes an announcement from the fourth batch of inboxes.
 */

const { Inboxes } = require(join(__dirname, '../../dist/src/notifications/services/inboxes.js'));

const BATCHES = 3;
let removed = 0;

const { removeRecalled } = Inboxes.prototype;
Inboxes.prototype.removeRecalled = async function (copies) {
  if (removed === BATCHES) {
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => {});
  }
  removed += 1;
  return removeRecalled.call(this, copies);
};
