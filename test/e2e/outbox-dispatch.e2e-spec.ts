import { DataSource, type EntityManager } from 'typeorm';
import { pipeline } from '../../src/database/transaction-statements';
import { Transactions } from '../../src/database/transactions';
import { DomainEvents } from '../../src/outbox/domain-events';
import { OutboxDispatcher } from '../../src/outbox/outbox-dispatcher';
import { eventsAfterPosition } from '../../src/outbox/store/domain-events.store';
import { DomainEventReader, storedEvents } from '../support/domain-events';
import { createCall, createUsers, newUserIds } from '../support/calls';
import { stopJob } from '../support/jobs';
import { scrape } from '../support/metrics';
import { eventually } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';

describe('The outbox', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await createTestApp();
    // The tests delete dispatched events themselves.
    await stopJob(test, 'outbox_retention');
  });
  afterEach(() => test?.close());

  const record = async (count: number, first = 1): Promise<void> => {
    const domainEvents = test.app.get(DomainEvents);
    await test.app.get(Transactions).run(async (em) => {
      for (let id = first; id < first + count; id += 1) recordUser(domainEvents, em, id);
    });
  };
  const subjects = (from: number, to: number): string[] =>
    Array.from({ length: to - from + 1 }, (_, index) => `user:${from + index}`);
  /** Returns the subjects of the stored events. */
  const stored = async (): Promise<string[]> =>
    (await storedEvents((sql) => test.query(sql))).map(({ subject }) => subject);
  const dispatch = (): Promise<void> => test.app.get(OutboxDispatcher).dispatch();
  const trim = (): Promise<void> => test.app.get(OutboxDispatcher).trim();

  describe('without subscribers', () => {
    it('stores only the ends of calls, and removes them once they are dispatched', async () => {
      await createCall(test.api, 'ended');
      expect(test.app.get(DomainEvents).hasSubscribers('call.created')).toBe(false);
      const waiting = { callboard_outbox_rows: 0, callboard_outbox_oldest_seconds: 0 };
      await eventually(
        () => scrape(test.api),
        ({ callboard_outbox_rows: rows }) => rows === 0,
      );
      expect(await scrape(test.api)).toMatchObject(waiting);
      expect(await stored()).toHaveLength(1);
      await trim();
      expect(await stored()).toEqual([]);
    });
  });

  it('stores events of subscribed types, and every end of a call', async () => {
    const reader = await DomainEventReader.open(test, ['user.created']);
    const { id, callerId } = await createCall(test.api, 'ended');
    expect(await reader.typesOf(`user:${callerId}`)).toEqual(['user.created']);
    expect(await reader.typesOf(`call:${id}`)).toEqual(['call.ended']);
    await reader.subscribe(['call.created']);
    const [known = 0] = newUserIds(1);
    await createUsers(test.api, known);
    expect(await reader.typesOf(`user:${known}`)).toEqual([]);
  });

  it('dispatches an event with one subscriber to all consumers', async () => {
    const [one, two] = [
      await DomainEventReader.open(test, ['user.created']),
      await DomainEventReader.open(test, [], 'second reader'),
    ];
    await record(1);
    expect([await one.typesOf('user:1'), await two.typesOf('user:1')]).toEqual([
      ['user.created'],
      ['user.created'],
    ]);
  });

  it('stores nothing after a rollback', async () => {
    const reader = await DomainEventReader.open(test);
    const domainEvents = test.app.get(DomainEvents);
    const failing = test.app.get(Transactions).run((em) => {
      recordUser(domainEvents, em, 1);
      return Promise.reject(new Error('no'));
    });
    await expect(failing).rejects.toThrow('no');
    await record(1, 2);
    expect((await reader.all()).map(({ subject }) => subject)).toEqual(['user:2']);
  });

  it('stores the events of a transaction in one row, because a row is numbered and deleted', async () => {
    await DomainEventReader.open(test);
    await record(20);
    await record(21, 21);
    await dispatch();
    const rows = (await storedEvents((sql) => test.query(sql))).map(({ position }) => position);
    expect(new Set(rows).size).toBe(3);
  });

  it('accepts events only in transactions', () => {
    const { manager } = test.app.get(DataSource);
    test.app.get(DomainEvents).setSubscribedTypes(new Set(['user.created']));
    expect(() => recordUser(test.app.get(DomainEvents), manager, 1)).toThrow('Not inside a transaction');
  });

  it('dispatches more events than a page has, each once, in the order of writing', async () => {
    const reader = await DomainEventReader.open(test);
    await record(1_100);
    expect((await reader.all()).map(({ subject }) => subject)).toEqual(subjects(1, 1_100));
  });

  it('dispatches more rows than a page has, each once, in the order of writing', async () => {
    const reader = await DomainEventReader.open(test);
    for (let id = 1; id <= 251; id += 1) await record(1, id);
    expect((await reader.all()).map(({ subject }) => subject)).toEqual(subjects(1, 251));
  });

  it('reads only the rows of a page, because rows with many events are large', async () => {
    await DomainEventReader.open(test);
    // The position of a consumer that does not run.
    await test.query("INSERT INTO domain_event_positions (name, position) VALUES ('behind', 0)");
    await record(600);
    await dispatch();
    const manager = test.app.get(DataSource).createEntityManager();
    const query = jest.spyOn(manager, 'query');
    const { to, events } = await eventsAfterPosition(manager, 'behind', 250);
    const pages = await Promise.all(query.mock.results.map(({ value }) => value as Promise<unknown[]>));
    expect({ to, events: events.length, rows: pages.flat().length }).toEqual({
      to: 25,
      events: 500,
      rows: 25,
    });
  });

  it('does not block on an event whose dispatch fails, and retries it alone', async () => {
    const reader = await DomainEventReader.open(test);
    reader.rejects = ({ subject }) => subject === 'user:2';
    for (const id of [1, 2, 3]) await record(1, id);
    expect((await reader.all(1)).map(({ subject }) => subject)).toEqual(['user:1', 'user:3']);
    await expect(dispatch()).rejects.toThrow('Refused: user:2');
    await trim();
    expect(await stored()).toEqual(['user:2']);
    test.clock.advance(7);
    expect(await scrape(test.api)).toMatchObject({
      callboard_outbox_rows: 1,
      callboard_outbox_oldest_seconds: 7,
    });
    reader.rejects = () => false;
    await dispatch();
    expect((await reader.all()).map(({ subject }) => subject)).toEqual(['user:1', 'user:3', 'user:2']);
    await trim();
    expect(await stored()).toEqual([]);
  });

  it.each<[string, (em: EntityManager) => Promise<unknown>]>([
    ['a statement fails', (em) => em.query('SELECT missing FROM users')],
    [
      'one of several statements fails',
      (em) => Promise.all([em.query('SELECT missing FROM users'), em.query('SELECT id FROM users')]),
    ],
    ['a pipelined statement fails', async (em) => pipeline(em, em.query('SELECT missing FROM users'))],
  ])('does not block on an event for which %s, and keeps nothing of it', async (_, fail) => {
    const reader = await DomainEventReader.open(test);
    reader.rejects = ({ subject }) => subject === 'user:2';
    reader.reject = async (_subject, em) => {
      await em.query("INSERT INTO domain_event_positions (name, position) VALUES ('kept', 0)");
      await fail(em);
    };
    for (const id of [1, 2, 3]) await record(1, id);
    expect((await reader.all(1)).map(({ subject }) => subject)).toEqual(['user:1', 'user:3']);
    reader.rejects = () => false;
    await dispatch();
    expect((await reader.all()).map(({ subject }) => subject)).toEqual(['user:1', 'user:3', 'user:2']);
    expect(await test.query("SELECT name FROM domain_event_positions WHERE name = 'kept'")).toEqual([]);
  });

  it('does not delay the next batch when a dispatch fails', async () => {
    const reader = await DomainEventReader.open(test);
    reader.rejects = ({ subject }) => subject === 'user:1';
    await record(501);
    expect((await reader.all(1)).map(({ subject }) => subject)).toEqual(subjects(2, 501));
  });

  it('dispatches to the other consumers while one fails for all events, and keeps the events for it', async () => {
    const [failing, other] = [
      await DomainEventReader.open(test, ['user.created'], 'failing reader'),
      await DomainEventReader.open(test, ['user.created']),
    ];
    failing.rejects = () => true;
    await record(3);
    expect((await other.all()).map(({ subject }) => subject)).toEqual(subjects(1, 3));
    await expect(dispatch()).rejects.toThrow('Refused: user:3');
    await trim();
    expect(await stored()).toEqual(subjects(1, 3));
    failing.rejects = () => false;
    await dispatch();
    expect((await failing.all()).map(({ subject }) => subject)).toEqual(subjects(1, 3));
    expect(await other.all()).toHaveLength(3);
  });
});

const recordUser = (domainEvents: DomainEvents, em: EntityManager, id: number): void =>
  domainEvents.record(em, 'user.created', `user:${id}`, () => ({
    user: {
      id,
      account: null,
      external_id: null,
      name: 'U',
      avatar: null,
      role: 'user',
      status: 1,
      created_at: new Date(0),
    },
    changed: [],
  }));
