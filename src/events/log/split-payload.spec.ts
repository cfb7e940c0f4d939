import {
  SharedPayloadEvents,
  joinPayload,
  payloadLines,
  withSharedPayload,
  type SplitPayload,
} from './split-payload';

/** Returns the payloads of all events of a run, as they are sent. */
function payloadsOf({ payload }: { payload: object }): unknown[] {
  const { shared, own, run } = payload as SplitPayload<object>;
  const lines = payloadLines(shared);
  return Array.from({ length: run.length }, (_, index) => JSON.parse(joinPayload(lines, own, run, index)));
}

describe('Events that tell many users nearly alike', () => {
  const message = (content: string) => ({ id: 1, content }) as never;

  it('come as each user sees them', () => {
    const alike = new SharedPayloadEvents(
      'message.created',
      { conversation_id: 5 },
      'message',
      message('two\nlines'),
    );
    expect(payloadsOf(alike.to(7, { is_self: true } as never, { unread_count: 0 }))).toEqual([
      { conversation_id: 5, message: { id: 1, content: 'two\nlines', is_self: true }, unread_count: 0 },
    ]);
  });

  it('come in runs that count', () => {
    const texts = ['a', 'b}', '1}\n', 'd'].map(message);
    const alike = new SharedPayloadEvents('message.created', { conversation_id: 5 }, 'message', ...texts);
    const own = { is_self: false } as never;
    const run = alike.run(7, { line: 1, length: 3 }, own, { unread_count: 9 }, { counts: true });
    expect(payloadsOf(run)).toEqual([
      { conversation_id: 5, message: { id: 1, content: 'b}', is_self: false }, unread_count: 9 },
      { conversation_id: 5, message: { id: 1, content: '1}\n', is_self: false }, unread_count: 10 },
      { conversation_id: 5, message: { id: 1, content: 'd', is_self: false }, unread_count: 11 },
    ]);
  });

  it('come in runs that do not count', () => {
    const alike = new SharedPayloadEvents(
      'message.created',
      { conversation_id: 5 },
      'message',
      message('a'),
      message('b'),
    );
    const run = alike.run(7, { line: 0, length: 2 }, { is_self: true }, { unread_count: 0 });
    expect(payloadsOf(run)).toMatchObject([{ unread_count: 0 }, { unread_count: 0 }]);
  });

  it('come exactly the same to all, from one text', () => {
    const payload = { conversation_id: 5 };
    const toUser = withSharedPayload('conversation.left', payload);
    expect([toUser(7), toUser(8)].flatMap(payloadsOf)).toEqual([payload, payload]);
    expect(toUser(7).payload).toBe(toUser(8).payload);
    expect(toUser(7)).toMatchObject({ userId: 7, type: 'conversation.left', payload: { own: '}' } });
  });
});
