import type { NewEvent } from './event';
import { decodePayloads, encodeEvents, encodeTopicEvent, type PendingEvents } from './event-encoding';
import { topicLog } from './log-id';

/** Encodes events of one type. */
const encode = (...events: object[]): PendingEvents[] =>
  encodeEvents(events.map((event) => ({ userId: 7, type: 'message.created', ...event })) as NewEvent[]);

/** Returns the payloads as they are sent. */
const payloadsOf = (rows: PendingEvents[]): unknown[] =>
  rows.flatMap(decodePayloads).map((json) => JSON.parse(json) as unknown);

const message = (content: string) => ({ conversation_id: 5, message: { id: 1, content } });
const own = (unread_count: number, is_self = false) => ({ message: { is_self }, unread_count });

describe('encodeEvents', () => {
  it('stores a whole payload as it is', () => {
    const row = { log: 7, type: 'message.created', length: 1, shared: '', line: 0, number: null };
    expect(encode({ payload: { n: 1 } })).toEqual([{ ...row, suffix: '{"n":1}' }]);
    expect(encodeTopicEvent(topicLog(3), { type: 'conversation.updated', payload: {} })).toEqual({
      ...row,
      log: -3,
      type: 'conversation.updated',
      suffix: '{}',
    });
  });

  it('splits a payload within the field that both parts have', () => {
    const rows = encode({ shared: message('two\nlines'), own: own(0, true) });
    expect(rows).toMatchObject([
      {
        shared: String.raw`{"conversation_id":5,"message":{"id":1,"content":"two\nlines",`,
        suffix: '"is_self":true},"unread_count":0}',
      },
    ]);
    expect(payloadsOf(rows)).toEqual([
      { conversation_id: 5, message: { id: 1, content: 'two\nlines', is_self: true }, unread_count: 0 },
    ]);
  });

  it('splits a payload after the shared fields when no field is in both parts', () => {
    const shared = { conversation_id: 5, message: { id: 1 } };
    expect(encode({ shared, own: {} })).toMatchObject([
      { shared: '{"conversation_id":5,"message":{"id":1}', suffix: '}' },
    ]);
    expect(payloadsOf(encode({ shared, own: { unread_count: 2 } }))).toEqual([
      { ...shared, unread_count: 2 },
    ]);
  });

  it('throws when a field of both parts is not the last shared and the first own one', () => {
    const [first, last] = [
      { message: { id: 1 }, conversation_id: 5 },
      { conversation_id: 5, message: { id: 1 } },
    ];
    const expected = '"message" must be the last field of the shared part, and the first of the own part';
    expect(() => encode({ shared: first, own: own(0) })).toThrow(expected);
    expect(() => encode({ shared: last, own: { unread_count: 0, message: { is_self: true } } })).toThrow(
      expected,
    );
  });

  it('stores consecutive events whose last field counts as a run', () => {
    const events = ['a', 'b}', '1}\n', 'd'].map((content, index) => {
      return { shared: message(content), own: own(9 + index) };
    });
    const rows = encode(...events);
    expect(rows).toMatchObject([
      { length: 4, line: 0, suffix: '"is_self":false},"unread_count":', number: 9 },
    ]);
    expect(payloadsOf(rows)).toEqual(
      ['a', 'b}', '1}\n', 'd'].map((content, index) => ({
        conversation_id: 5,
        message: { id: 1, content, is_self: false },
        unread_count: 9 + index,
      })),
    );
  });

  it('stores consecutive events with equal own parts as a run without a count', () => {
    const rows = encode(
      { shared: message('a'), own: own(0, true) },
      { shared: message('b'), own: own(0, true) },
    );
    expect(rows).toMatchObject([{ length: 2, suffix: '"is_self":true},"unread_count":0}', number: null }]);
  });

  it.each([
    ['another own field differs', [own(1), own(2, true), own(3)]],
    ['the count does not increase by one', [own(1), own(3), own(3)]],
    ['the last field is no count', ['a', 'b', 'b'].map((name) => ({ message: { is_self: true }, name }))],
    ['the count has a fraction', [1.05, 1.6, 1.7].map((n) => own(n))],
  ])('starts another row when %s', (_, parts) => {
    const rows = encode(...parts.map((part, index) => ({ shared: message(`${index}`), own: part })));
    expect(rows.length).toBeGreaterThan(1);
    expect(payloadsOf(rows)).toEqual(
      parts.map((part, index) => ({
        conversation_id: 5,
        ...part,
        message: { id: 1, content: `${index}`, ...part.message },
      })),
    );
  });

  it('ends a run at another event of the user, and continues it in the log of another user', () => {
    const [a, b, c] = ['a', 'b', 'c'].map(message);
    const rows = encode(
      { shared: a, own: own(1) },
      { userId: 8, shared: a, own: own(4) },
      { shared: b, own: own(2) },
      { userId: 8, shared: b, own: own(5) },
      { type: 'conversation.read', payload: {} },
      { shared: c, own: own(3) },
      { userId: 8, shared: c, own: own(6) },
    );
    expect(rows.map(({ log, type, line, length, number }) => [log, type, line, length, number])).toEqual([
      [7, 'message.created', 0, 2, 1],
      [8, 'message.created', 0, 3, 4],
      [7, 'conversation.read', 0, 1, null],
      [7, 'message.created', 2, 1, null],
    ]);
    expect(new Set(rows.map(({ shared }) => shared)).size).toBe(2);
  });

  it('stores only the shared part of the event for a user with one event', () => {
    const rows = encode(
      { shared: message('a'), own: own(1) },
      { userId: 8, shared: message('a'), own: own(2) },
      { userId: 9, shared: message('b'), own: own(3) },
    );
    expect(rows.map(({ shared, line }) => [shared.split('\n').length, line])).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
    ]);
    expect(rows[1]?.shared).toBe(rows[0]?.shared);
  });
});
