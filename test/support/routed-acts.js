const { join } = require('node:path');
require('reflect-metadata');

/*
 * Required before the built service (test/support/act-process.ts): registers a consumer of domain events
 * (`ROUTED_ACTS`: types, default all) that inserts each dispatched event into a table. `KILL_AT` names the step at
 * which the process kills itself.
 */

/** Loads a module of the build, which is not the compiled copy of this folder. */
const built = (file) => require(join(__dirname, '../../dist/src', file));

const rows = built('outbox/store/outbox.store.js');
const { DOMAIN_EVENT_TYPES } = built('outbox/domain-event-types.js');
const { OutboxConsumer } = built('outbox/outbox-consumer.js');
const { OutboxDispatcher } = built('outbox/outbox-dispatcher.js');

const { ROUTED_ACTS = '', KILL_AT } = process.env;

/** Kills the process with SIGKILL. The returned promise never resolves. */
function die() {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
}

const dieAt = (step) => (step !== undefined && KILL_AT === step ? die() : undefined);

/** Patches a function of the store so that the process is killed before or after it. */
function interrupt(name, { before, after }) {
  const original = rows[name];
  rows[name] = async (...args) => {
    await dieAt(before);
    const answer = await original(...args);
    await dieAt(after);
    return answer;
  };
}

interrupt('insertOutboxEvents', { after: 'written' });
interrupt('lockOutboxEvents', { before: 'claimed' });
interrupt('deleteOutboxEvents', { before: 'committed', after: 'deleted' });

class Keeper extends OutboxConsumer {
  subscribedTypes() {
    return Promise.resolve(new Set(ROUTED_ACTS === '' ? DOMAIN_EVENT_TYPES : ROUTED_ACTS.split(',')));
  }

  async dispatch(messages, em) {
    for (const { eventId, type, subject } of messages)
      await em.query('INSERT INTO routed_acts (event_id, type, subject) VALUES (?, ?, ?)', [
        eventId,
        type,
        subject,
      ]);
    await dieAt('routing');
  }

  onCommitted() {
    void dieAt('routed');
  }
}

const TABLE =
  'CREATE TABLE IF NOT EXISTS routed_acts (event_id varchar(40), type varchar(50), subject varchar(100))';

const onModuleInit = OutboxDispatcher.prototype.onModuleInit;
OutboxDispatcher.prototype.onModuleInit = async function () {
  await this.dataSource.query(TABLE);
  this.register(new Keeper());
  return onModuleInit.call(this);
};
