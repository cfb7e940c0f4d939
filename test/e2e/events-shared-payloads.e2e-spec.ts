import { DataSource } from 'typeorm';
import { EventLog } from '../../src/events/log/event-log';
import type { EventPage } from '../../src/events/log/event-pages';
import { type UserLog, userLog } from '../../src/events/log/log-id';
import { EventRetention } from '../../src/events/log/retention';
import { newUserIds } from '../support/calls';
import { writeTestEvents } from '../support/test-events';
import { ChatUser } from '../support/messaging';
import { createTestApp, type TestApp } from '../support/test-app';

const LONG = 'x'.repeat(5_000);

/** The size of the tables of events. */
interface Written {
  rows: number;
  payloads: number;
  bytes: number;
}

describe('Shared event payloads', () => {
  let test: TestApp;
  let people: ChatUser[];
  let ann: ChatUser;
  let ben: ChatUser;
  let group: number;

  beforeAll(async () => {
    test = await createTestApp({ env: { EVENT_RETENTION_HOURS: '2' } });
    people = await ChatUser.signInAll(test.api, newUserIds(200));
    [ann, ben] = people as [ChatUser, ChatUser];
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
  /** Returns what an action adds to the tables. */
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
  const lastOf = async ({ id, api }: ChatUser) => {
    const cursor = await test.app.get(EventLog).cursorOf(userLog(id));
    return (await api.get(`/api/events/poll?after=${cursor - 1}`)).body.data.items[0];
  };

  it('are stored once for a long message, with a narrow row per member', async () => {
    const written = await writtenBy(() => ann.send(group, LONG));
    expect([written.rows, written.payloads]).toEqual([200, 1]);
    // The text as content and as display_content, and some forty bytes per member.
    expect(written.bytes).toBeLessThan(20_000);
  });

  it('are delivered in each member’s view of a long message', async () => {
    const sent = await ann.send(group, LONG);
    const unread = await ben.unreadOf(group);
    const common = {
      type: 'message.created',
      conversation_id: group,
      created_at: '2026-01-31T08:00:00.000Z',
    };
    expect(await lastOf(ann)).toMatchObject({ ...common, message: sent, unread_count: 0 });
    expect(await lastOf(ben)).toMatchObject({
      ...common,
      message: { ...sent, is_self: false },
      unread_count: unread,
    });
  });

  it('are stored once for twelve concurrent long messages', async () => {
    const { rows, payloads, bytes } = await writtenBy(() =>
      Promise.all(Array.from({ length: 12 }, () => ann.send(group, '长'.repeat(5_000)))),
    );
    // Messages of one transaction share the row of a member, so the number of rows depends on the batches.
    expect(payloads).toBeLessThanOrEqual(12);
    expect(rows).toBe(200 * payloads);
    // The texts as content and as display_content are 360,000 bytes.
    expect(bytes).toBeLessThan(500_000);
  });

  it('are stored once for an edit, regardless of the length of the last message', async () => {
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

  it('are stored once for a recall, except for the read time of each member', async () => {
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

  it('are not split if it would save no space', async () => {
    const single = await ann.openSingle(ben.id);
    expect(await writtenBy(() => ann.send(single, 'hello'))).toMatchObject({ rows: 2, payloads: 0 });
    expect(await writtenBy(() => ann.send(single, LONG))).toMatchObject({ rows: 2, payloads: 1 });
    expect(await lastOf(ben)).toMatchObject({ message: { content: LONG, is_self: false }, unread_count: 2 });
  });

  it('do not limit how many long events several logs are read with at once', async () => {
    // SQLite rejects expressions that are nested more than a thousand times.
    const logs = newUserIds(11).map(userLog);
    const payload = { text: 'x'.repeat(2_001) };
    for (let n = 0; n < 91; n += 1)
      await writeTestEvents(
        test,
        logs.map((userId) => ({ userId, type: 'test', payload })),
      );
    const pages = await test.app.get(EventLog).read(
      logs.map((log) => ({ log, after: 0 })),
      500,
    );
    expect(pages.map(({ events }) => events.length)).toEqual(Array.from({ length: 11 }, () => 91));
  });

  it('are deleted with the last event that refers to them', async () => {
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

  describe('read by streams', () => {
    /** Reads until no events are left and returns the characters that each read fetched from the database. */
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

    it('are read once for all streams', async () => {
      for (let count = 0; count < 10; count += 1) await ann.send(group, '长'.repeat(5_000));
      const ids = people.slice(0, 100).map(({ id }) => id);
      const { seqs, taken } = await readAll(ids, 100);
      expect(seqs.every(([from = 0, to = 0]) => to === from + 10)).toBe(true);
      // Ten narrow rows per member and the text of one message, more than the 41 KiB of one read.
      expect(taken).toHaveLength(10);
      expect(Math.max(...taken)).toBeLessThan(275_000);
    });

    it('are limited in bytes when they differ', async () => {
      const payload = { text: 'y'.repeat(100_000) };
      const events = Array.from({ length: 10 }, () => ({ userId: ben.id, type: 'big', payload }));
      for (let part = 0; part < 10; part += 1) await writeTestEvents(test, events);
      const { seqs, taken } = await readAll([ben.id], 100);
      expect(seqs).toEqual([[starts.get(userLog(ben.id)), (starts.get(userLog(ben.id)) ?? 0) + 100]]);
      expect(taken).toHaveLength(3);
      expect(Math.max(...taken)).toBeLessThan(4_300_000);
    });

    it('are limited in rows', async () => {
      const ids = people.slice(0, 100).map(({ id }) => id);
      const payload = { text: 'z'.repeat(1_900) };
      const events = ids.flatMap((userId) =>
        Array.from({ length: 30 }, () => ({ userId, type: 'small', payload })),
      );
      await writeTestEvents(test, events);
      const { taken } = await readAll(ids, 100);
      expect(taken).toHaveLength(2);
      expect(Math.max(...taken)).toBeLessThan(4_500_000);
    });

    it('shorten the pages of the poll', async () => {
      const payload = { text: 'y'.repeat(100_000) };
      await writeTestEvents(
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
