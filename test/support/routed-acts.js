const { join } = require('node:path');
require('reflect-metadata');

/*
 * Required before the built service (test/support/act-process.ts): somebody in it wants acts (`ROUTED_ACTS`: types, or all)
 * and writes each that is routed into a table. `KILL_AT` names the step of an act's way at which the process kills itself.
 */

/** A module of the build, which is none of what is compiled. */
const built = (file) => require(join(__dirname, '../../dist/src', file));

const rows = built('outbox/store/outbox-rows.js');
const { ACT_TYPES } = built('outbox/act-types.js');
const { OutboxConsumer } = built('outbox/outbox-consumer.js');
const { OutboxRouter } = built('outbox/outbox-router.js');

const { ROUTED_ACTS = '', KILL_AT } = process.env;

/** Ends the process as `kill -9` does; whoever waits for this waits for ever. */
function die() {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
}

const dieAt = (step) => (step !== undefined && KILL_AT === step ? die() : undefined);

/** Lets a function of the store die before it begins, or when it is done. */
function interrupt(name, { before, after }) {
  const original = rows[name];
  rows[name] = async (...args) => {
    await dieAt(before);
    const answer = await original(...args);
    await dieAt(after);
    return answer;
  };
}

interrupt('insertActs', { after: 'written' });
interrupt('holdActs', { before: 'claimed' });
interrupt('deleteActs', { before: 'committed', after: 'deleted' });

class Keeper extends OutboxConsumer {
  wantedTypes() {
    return Promise.resolve(new Set(ROUTED_ACTS === '' ? ACT_TYPES : ROUTED_ACTS.split(',')));
  }

  async route(acts, em) {
    for (const { eventId, type, subject } of acts)
      await em.query('INSERT INTO routed_acts (event_id, type, subject) VALUES (?, ?, ?)', [
        eventId,
        type,
        subject,
      ]);
    await dieAt('routing');
  }

  routed() {
    void dieAt('routed');
  }
}

const TABLE =
  'CREATE TABLE IF NOT EXISTS routed_acts (event_id varchar(40), type varchar(50), subject varchar(100))';

const onModuleInit = OutboxRouter.prototype.onModuleInit;
OutboxRouter.prototype.onModuleInit = async function () {
  await this.dataSource.query(TABLE);
  this.register(new Keeper());
  return onModuleInit.call(this);
};
