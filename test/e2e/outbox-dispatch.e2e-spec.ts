import { randomUUID } from 'node:crypto';
import { DataSource, type EntityManager } from 'typeorm';
import { Transactions } from '../../src/database/transactions';
import { DomainEvents } from '../../src/outbox/domain-events';
import { OutboxDispatcher } from '../../src/outbox/outbox-dispatcher';
import { claimOutboxEvents, dueOutboxEvents, lockOutboxEvents } from '../../src/outbox/store/outbox.store';
import { DomainEventReader, countOutboxRows } from '../support/domain-events';
import { createCall, createUsers, newUserIds } from '../support/calls';
import { scrape } from '../support/metrics';
import { eventually } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';

const LEASE_SECONDS = 30;

describe('The outbox', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await createTestApp();
  });
  afterEach(() => test?.close());

  const record = async (count: number, first = 1): Promise<void> => {
    const acts = test.app.get(DomainEvents);
    await test.app.get(Transactions).run(async (em) => {
      for (let id = first; id < first + count; id += 1) recordUser(acts, em, id);
    });
  };
  const subjects = (from: number, to: number): string[] =>
    Array.from({ length: to - from + 1 }, (_, index) => `user:${from + index}`);
  const route = (): Promise<void> => test.app.get(OutboxDispatcher).dispatch();

  describe('without subscribers', () => {
    it('stores and removes only the ends of calls', async () => {
      await createCall(test.api, 'ended');
      expect(test.app.get(DomainEvents).hasSubscribers('call.created')).toBe(false);
      await eventually(
        () => countOutboxRows(test),
        (rows) => rows === 0,
      );
      expect(await countOutboxRows(test)).toBe(0);
      expect(await scrape(test.api)).toMatchObject({
        callboard_outbox_rows: 0,
        callboard_outbox_oldest_seconds: 0,
      });
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
      await DomainEventReader.open(test, []),
    ];
    await record(1);
    expect([await one.typesOf('user:1'), await two.typesOf('user:1')]).toEqual([
      ['user.created'],
      ['user.created'],
    ]);
  });

  it('stores nothing after a rollback', async () => {
    const reader = await DomainEventReader.open(test);
    const acts = test.app.get(DomainEvents);
    const failing = test.app.get(Transactions).run((em) => {
      recordUser(acts, em, 1);
      return Promise.reject(new Error('no'));
    });
    await expect(failing).rejects.toThrow('no');
    await record(1, 2);
    expect((await reader.all()).map(({ subject }) => subject)).toEqual(['user:2']);
  });

  it('accepts events only in transactions', () => {
    const { manager } = test.app.get(DataSource);
    test.app.get(DomainEvents).setSubscribedTypes(new Set(['user.created']));
    expect(() => recordUser(test.app.get(DomainEvents), manager, 1)).toThrow('Not inside a transaction');
  });

  it('dispatches more than a batch, each event once, in the order of writing', async () => {
    const reader = await DomainEventReader.open(test);
    await record(250);
    expect((await reader.all()).map(({ subject }) => subject)).toEqual(subjects(1, 250));
  });

  it('does not block on an event whose dispatch fails, and retries it when its lease expires', async () => {
    const reader = await DomainEventReader.open(test);
    reader.rejects = ({ subject }) => subject === 'user:2';
    await record(3);
    expect((await reader.all(1)).map(({ subject }) => subject)).toEqual(['user:1', 'user:3']);
    test.clock.advance(LEASE_SECONDS - 1);
    reader.rejects = () => false;
    await route();
    expect(await countOutboxRows(test)).toBe(1);
    expect(await scrape(test.api)).toMatchObject({
      callboard_outbox_rows: 1,
      callboard_outbox_oldest_seconds: LEASE_SECONDS - 1,
    });
    test.clock.advance(1);
    await route();
    expect((await reader.all()).map(({ subject }) => subject)).toEqual(['user:1', 'user:3', 'user:2']);
  });

  it('does not delay the next batch when a dispatch fails', async () => {
    const reader = await DomainEventReader.open(test);
    reader.rejects = ({ subject }) => subject === 'user:1';
    await record(101);
    expect((await reader.all(1)).map(({ subject }) => subject)).toEqual(subjects(2, 101));
  });

  it('dispatches nothing under a lease that another instance has taken over', async () => {
    const transactions = test.app.get(Transactions);
    const { manager } = test.app.get(DataSource);
    test.app.get(DomainEvents).setSubscribedTypes(new Set(['user.created']));
    await transactions.run(async (em) => {
      // Inserted without `DomainEvents`, whose dispatcher would dispatch them.
      await em.query(
        `INSERT INTO outbox (event_id, type, subject, payload, created_at, due_at)
         VALUES ('msg_1', 'user.created', 'user:1', '{}', '2026-01-31 08:00:00.000', '2026-01-31 09:00:00.000')`,
      );
    });
    const claim = async (now: Date): Promise<[claim: string, ids: number[], count: number]> => {
      const ids = await dueOutboxEvents(manager, now, 100);
      const lease = { ids, claim: randomUUID() };
      const until = new Date(now.getTime() + LEASE_SECONDS * 1000);
      const count =
        ids.length === 0 ? 0 : await transactions.run((em) => claimOutboxEvents(em, lease, { now, until }));
      return [lease.claim, ids, count];
    };
    const held = (claim: string, ids: number[]) =>
      transactions.run(async (em) =>
        (await lockOutboxEvents(em, { ids, claim })).map(({ eventId }) => eventId),
      );

    const nine = new Date('2026-01-31T09:00:00.000Z');
    const [first, ids, count] = await claim(nine);
    expect([ids.length, count, await held(first, ids)]).toEqual([1, 1, ['msg_1']]);
    expect((await claim(new Date(nine.getTime() + LEASE_SECONDS * 1000 - 1)))[2]).toBe(0);
    const [second, , again] = await claim(new Date(nine.getTime() + LEASE_SECONDS * 1000));
    expect([again, await held(second, ids), await held(first, ids)]).toEqual([1, ['msg_1'], []]);
  });
});

const recordUser = (acts: DomainEvents, em: EntityManager, id: number): void =>
  acts.record(em, 'user.created', `user:${id}`, () => ({
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
