import { DataSource } from 'typeorm';
import { EventLog } from '../../src/events/log/event-log';
import type { EventPage } from '../../src/events/log/event-pages';
import { type UserLog, userLog } from '../../src/events/log/log-id';
import { EventRetention } from '../../src/events/log/retention';
import { newUserIds } from '../support/calls';
import { writeMadeUp } from '../support/made-up-events';
import { Chatter } from '../support/messaging';
import { createTestApp, type TestApp } from '../support/test-app';

const LONG = 'x'.repeat(5_000);

/** What stands in the tables of events. */
interface Written {
  rows: number;
  payloads: number;
  bytes: number;
}

describe('What many are told', () => {
  let test: TestApp;
  let people: Chatter[];
  let ann: Chatter;
  let ben: Chatter;
  let group: number;

  beforeAll(async () => {
    test = await createTestApp({ env: { EVENT_RETENTION_HOURS: '2' } });
    people = await Chatter.meetAll(test.api, newUserIds(200));
    [ann, ben] = people as [Chatter, Chatter];
    group = await ann.createGroup(people.slice(1).map(({ id }) => id));
  });
  afterAll(() => test?.close());
  afterEach(() => jest.restoreAllMocks());

  const stored = async (): Promise<Written> => {
    const of = async (table: string) => {
      const [sum] = (await test.query(
        `SELECT COUNT(*) AS n, COALESCE(SUM(OCTET_LENGTH(payload)), 0) AS bytes FROM ${table}`,
      )) as [{ n: number | string; bytes: number | string }];
      return { n: Number(sum.n), bytes: Number(sum.bytes) };
    };
    const [events, payloads] = [await of('events'), await of('event_payloads')];
    return { rows: events.n, payloads: payloads.n, bytes: events.bytes + payloads.bytes };
  };
  /** What an act writes. */
  const writtenBy = async (act: () => Promise<unknown>): Promise<Written> => {
    const before = await stored();
    await act();
    const after = await stored();
    return {
      rows: after.rows - before.rows,
      payloads: after.payloads - before.payloads,
      bytes: after.bytes - before.bytes,
    };
  };
  const lastOf = async ({ id, api }: Chatter) => {
    const cursor = await test.app.get(EventLog).cursorOf(userLog(id));
    return (await api.get(`/api/events/poll?after=${cursor - 1}`)).body.data.items[0];
  };

  it('of a long message is written once, and a narrow row for each', async () => {
    const written = await writtenBy(() => ann.send(group, LONG));
    expect([written.rows, written.payloads]).toEqual([200, 1]);
    // The text as content and as display_content; of each member's some forty bytes.
    expect(written.bytes).toBeLessThan(20_000);
  });

  it('of a long message reaches each as that member sees it', async () => {
    const sent = await ann.send(group, LONG);
    const unread = await ben.unreadOf(group);
    const told = { type: 'message.created', conversation_id: group, created_at: '2026-01-31T08:00:00.000Z' };
    expect(await lastOf(ann)).toMatchObject({ ...told, message: sent, unread_count: 0 });
    expect(await lastOf(ben)).toMatchObject({
      ...told,
      message: { ...sent, is_self: false },
      unread_count: unread,
    });
  });

  it('of twelve long messages at once is written as well', async () => {
    const sends = Array.from({ length: 12 }, () =>
      ann.trySend(group, { type: 'text', content: '长'.repeat(5_000) }),
    );
    const codes = (await Promise.all(sends)).map(({ body }) => body.code);
    expect(codes).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('of a change is written once, however long the last message is', async () => {
    await ann.send(group, LONG);
    const written = await writtenBy(() =>
      ann.api.put(`/api/messages/conversations/${group}`, { name: 'New name' }),
    );
    expect([written.rows, written.payloads]).toEqual([200, 1]);
    expect(written.bytes).toBeLessThan(26_000);
    expect(await lastOf(ben)).toMatchObject({
      type: 'conversation.updated',
      conversation: await ben.conversation(group),
      pinned: false,
      muted: false,
      hidden: false,
    });
  });

  it('of a recall is written once, but for when each has read the message', async () => {
    const recalled = await ann.send(group, LONG);
    await ann.send(group, LONG);
    const written = await writtenBy(() => ann.recall(recalled.id));
    expect([written.rows, written.payloads]).toEqual([200, 1]);
    expect(written.bytes).toBeLessThan(150_000);
    expect(await lastOf(ben)).toMatchObject({
      type: 'message.recalled',
      message: { id: recalled.id, content: '', is_self: false, is_recalled: true },
      conversation: await ben.conversation(group),
    });
  });

  it('is not torn apart where that would save nothing', async () => {
    const single = await ann.openSingle(ben.id);
    expect(await writtenBy(() => ann.send(single, 'hello'))).toMatchObject({ rows: 2, payloads: 0 });
    expect(await writtenBy(() => ann.send(single, LONG))).toMatchObject({ rows: 2, payloads: 1 });
    expect(await lastOf(ben)).toMatchObject({ message: { content: LONG, is_self: false }, unread_count: 2 });
  });

  it('goes with the last event that needs it', async () => {
    await ann.send(group, LONG);
    test.clock.advance(3_600);
    const kept = await writtenBy(() => ann.send(group, LONG));
    test.clock.advance(3_601);
    await test.app.get(EventRetention).trim();
    expect(await stored()).toEqual(kept);
    expect(await lastOf(ben)).toMatchObject({ message: { content: LONG } });
    test.clock.advance(3_600);
    await test.app.get(EventRetention).trim();
    expect(await stored()).toEqual({ rows: 0, payloads: 0, bytes: 0 });
  });

  describe('when streams read it', () => {
    /** Reads on until nothing is left; what each read took out of the database, in characters. */
    const readAll = async (
      userIds: number[],
      limit: number,
    ): Promise<{ seqs: number[][]; taken: number[] }> => {
      const log = test.app.get(EventLog);
      const query = jest.spyOn(test.app.get(DataSource), 'query');
      const logs = userIds.map(userLog);
      const cursors = await log.cursorsOf(logs);
      const after = new Map(logs.map((own) => [own, starts.get(own) ?? 0]));
      const taken: number[] = [];
      while (logs.some((own) => (after.get(own) ?? 0) < (cursors.get(own) ?? 0))) {
        query.mockClear();
        const readings = logs.map((own) => ({ log: own, after: after.get(own) ?? 0 }));
        const pages: EventPage[] = await log.read(readings, limit);
        const results: unknown[] = await Promise.all(query.mock.results.map(({ value }) => value as unknown));
        taken.push(JSON.stringify(results).length);
        for (const [index, own] of logs.entries()) {
          for (const { seq } of pages[index]?.events ?? []) {
            expect(seq).toBe((after.get(own) ?? 0) + 1);
            after.set(own, seq);
          }
        }
      }
      return { seqs: logs.map((own) => [starts.get(own) ?? 0, after.get(own) ?? 0]), taken };
    };
    let starts: Map<UserLog, number>;
    beforeEach(async () => {
      starts = await test.app.get(EventLog).cursorsOf(people.map(({ id }) => userLog(id)));
    });

    it('is read once for all of them', async () => {
      for (let count = 0; count < 10; count += 1) await ann.send(group, '长'.repeat(5_000));
      const ids = people.slice(0, 100).map(({ id }) => id);
      const { seqs, taken } = await readAll(ids, 100);
      expect(seqs.every(([from = 0, to = 0]) => to === from + 10)).toBe(true);
      // Ten narrow rows for each of the hundred, and the text of one message: more than 41 KiB nobody gets at a time.
      expect(taken).toHaveLength(10);
      expect(Math.max(...taken)).toBeLessThan(275_000);
    });

    it('is bounded by bytes where it is not shared', async () => {
      const payload = { text: 'y'.repeat(100_000) };
      const events = Array.from({ length: 10 }, () => ({ userId: ben.id, type: 'big', payload }));
      for (let part = 0; part < 10; part += 1) await writeMadeUp(test, events);
      const { seqs, taken } = await readAll([ben.id], 100);
      expect(seqs).toEqual([[starts.get(userLog(ben.id)), (starts.get(userLog(ben.id)) ?? 0) + 100]]);
      expect(taken).toHaveLength(3);
      expect(Math.max(...taken)).toBeLessThan(4_300_000);
    });

    it('is bounded by rows, too', async () => {
      const ids = people.slice(0, 100).map(({ id }) => id);
      const payload = { text: 'z'.repeat(1_900) };
      const events = ids.flatMap((userId) =>
        Array.from({ length: 30 }, () => ({ userId, type: 'small', payload })),
      );
      await writeMadeUp(test, events);
      const { taken } = await readAll(ids, 100);
      expect(taken).toHaveLength(2);
      expect(Math.max(...taken)).toBeLessThan(4_500_000);
    });

    it('comes in shorter pages to who polls', async () => {
      const payload = { text: 'y'.repeat(100_000) };
      await writeMadeUp(
        test,
        Array.from({ length: 50 }, () => ({ userId: ben.id, type: 'big', payload })),
      );
      const start = starts.get(userLog(ben.id)) ?? 0;
      const first = (await ben.api.get(`/api/events/poll?after=${start}&limit=500`)).body.data;
      expect([first.items.length, first.next_after]).toEqual([41, start + 41]);
      const rest = (await ben.api.get(`/api/events/poll?after=${start + 41}&limit=500`)).body.data;
      expect([rest.items.length, rest.next_after]).toEqual([9, start + 50]);
    });
  });
});
