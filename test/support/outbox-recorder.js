const { join } = require('node:path');
require('reflect-metadata');

/*
 * Required before the built service (test/support/outbox-process.ts): registers a consumer of domain events
 * (`DISPATCHED_TYPES`: types, default all) that inserts each dispatched event into a table. `KILL_AT` names the step at
 * which the process kills itself.
 */

/** Loads a module of the build, which is not the compiled copy of this folder. */
const requireBuilt = (file) => require(join(__dirname, '../../dist/src', file));

const rows = requireBuilt('outbox/store/outbox.store.js');
const { DOMAIN_EVENT_TYPES } = requireBuilt('outbox/domain-event-types.js');
const { OutboxConsumer } = requireBuilt('outbox/outbox-consumer.js');
const { OutboxDispatcher } = requireBuilt('outbox/outbox-dispatcher.js');

const { DISPATCHED_TYPES = '', KILL_AT } = process.env;

/** Kills the process with SIGKILL. The returned promise never resolves. */
function killProcess() {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
}

const killAt = (step) => (step !== undefined && KILL_AT === step ? killProcess() : undefined);

/** Patches a function of the store so that the process is killed before or after it. */
function patch(name, { before, after }) {
  const original = rows[name];
  rows[name] = async (...args) => {
    await killAt(before);
    const response = await original(...args);
    await killAt(after);
    return response;
  };
}

patch('insertOutboxEvents', { after: 'written' });
patch('lockOutboxEvents', { before: 'claimed' });
patch('deleteOutboxEvents', { before: 'committed', after: 'deleted' });

class Recorder extends OutboxConsumer {
  subscribedTypes() {
    return Promise.resolve(
      new Set(DISPATCHED_TYPES === '' ? DOMAIN_EVENT_TYPES : DISPATCHED_TYPES.split(',')),
    );
  }

  async dispatch(events, em) {
    for (const { eventId, type, subject } of events)
      await em.query('INSERT INTO dispatched_events (event_id, type, subject) VALUES (?, ?, ?)', [
        eventId,
        type,
        subject,
      ]);
    await killAt('dispatching');
  }

  onCommitted() {
    void killAt('dispatched');
  }
}

const TABLE =
  'CREATE TABLE IF NOT EXISTS dispatched_events (event_id varchar(40), type varchar(50), subject varchar(100))';

const onModuleInit = OutboxDispatcher.prototype.onModuleInit;
OutboxDispatcher.prototype.onModuleInit = async function () {
  await this.transactions.read().query(TABLE);
  this.register(new Recorder());
  return onModuleInit.call(this);
};
