const { join } = require('node:path');
require('reflect-metadata');

/*
 * Required before the built service (test/support/outbox-process.ts): registers a consumer of domain events
 * (`DISPATCHED_TYPES`: types, default all) that inserts each dispatched event into a table. `KILL_AT` names the step at
 * which the process kills itself, and `KILL_CONSUMER` the consumer whose steps are meant (default: this one).
 */

/** Loads a module of the build, which is not the compiled copy of this folder. */
const requireBuilt = (file) => require(join(__dirname, '../../dist/src', file));

const store = requireBuilt('outbox/store/domain-events.store.js');
const { insertIgnore } = requireBuilt('database/sql/dialect.js');
const { DOMAIN_EVENT_TYPES } = requireBuilt('outbox/domain-event-types.js');
const { OutboxConsumer } = requireBuilt('outbox/outbox-consumer.js');
const { OutboxDispatcher } = requireBuilt('outbox/outbox-dispatcher.js');

const NAME = 'recorder';
const { DISPATCHED_TYPES = '', KILL_AT, KILL_CONSUMER = NAME } = process.env;

/** Kills the process with SIGKILL. The returned promise never resolves. */
function killProcess() {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
}

const killAt = (step) => (step !== undefined && KILL_AT === step ? killProcess() : undefined);

/**
 * Patches a function of the store so that the process is killed after it.
 * @param isMeant returns whether a call with this response and these arguments is meant
 */
function patch(name, step, isMeant = () => true) {
  const original = store[name];
  store[name] = async (...args) => {
    const response = await original(...args);
    if (isMeant(response, ...args)) await killAt(step);
    return response;
  };
}

patch('insertDomainEvents', 'written');
patch('unnumberedRows', 'committed', ({ ids }) => ids.length > 0);
patch('assignPositions', 'numbering');
patch(
  'eventsAfterPosition',
  'numbered',
  ({ events }, _, name) => name === KILL_CONSUMER && events.length > 0,
);
patch('movePosition', 'advanced', (_, __, name) => name === KILL_CONSUMER);

/** Patches a registered consumer so that the process is killed in and after its transactions. */
function patchConsumer(consumer) {
  const dispatch = consumer.dispatch.bind(consumer);
  const onCommitted = consumer.onCommitted.bind(consumer);
  consumer.dispatch = async (...args) => {
    await dispatch(...args);
    await killAt('dispatching');
  };
  consumer.onCommitted = () => {
    onCommitted();
    void killAt('dispatched');
  };
}

class Recorder extends OutboxConsumer {
  name = NAME;

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
  }

  onCommitted() {
    // Nothing to do after the commit.
  }
}

const TABLE =
  'CREATE TABLE IF NOT EXISTS dispatched_events (event_id varchar(40), type varchar(50), subject varchar(100))';
const { onModuleInit, register } = OutboxDispatcher.prototype;
OutboxDispatcher.prototype.register = function (consumer) {
  if (consumer.name === KILL_CONSUMER) patchConsumer(consumer);
  register.call(this, consumer);
};
OutboxDispatcher.prototype.onModuleInit = async function () {
  const manager = this.transactions.read();
  await manager.query(TABLE);
  await manager.query(`${insertIgnore(manager)} INTO domain_event_positions (name, position) VALUES (?, 0)`, [
    NAME,
  ]);
  this.register(new Recorder());
  return onModuleInit.call(this);
};
