import { CallboardError } from '../src/index.js';
import { Outbox } from '../src/live/outbox.js';
import type { MessageResponse } from '../src/index.js';

describe('Outbox without a session', () => {
  it.each(['signed_out', 401] as const)(
    'keeps all messages in order after %s and sends them on resume',
    async (code) => {
      const sent: unknown[] = [];
      let isSignedIn = false;
      const outbox = new Outbox({
        send: async ({ content }) => {
          if (!isSignedIn) throw new CallboardError(code);
          sent.push(content);
          return {} as MessageResponse;
        },
        onSent: () => undefined,
        onChange: () => undefined,
        signal: () => new AbortController().signal,
      });
      await Promise.all([
        outbox.add({ type: 'text', content: 'first' }),
        outbox.add({ type: 'text', content: 'second' }),
      ]);
      expect(outbox.pending.map(({ error }) => error?.code)).toEqual([code, code]);
      isSignedIn = true;
      await outbox.resume();
      expect(sent).toEqual(['first', 'second']);
      expect(outbox.pending).toEqual([]);
    },
  );
});

describe('Outbox with a rejected message', () => {
  it('does not send a message that was rejected before a reload until it is retried', async () => {
    const sent: unknown[] = [];
    const outbox = new Outbox({
      send: async ({ content }) => {
        sent.push(content);
        return {} as MessageResponse;
      },
      onSent: () => undefined,
      onChange: () => undefined,
      signal: () => new AbortController().signal,
    });
    const rejected = { type: 'text', content: 'rejected', client_msg_id: 'mine' } as const;
    await outbox.add(rejected, new CallboardError(403, '无权操作'));
    await outbox.add({ type: 'text', content: 'delayed' }, new CallboardError('network'));
    expect(sent).toEqual(['delayed']);
    expect(outbox.pending.map(({ error }) => error?.code)).toEqual([403]);
    await outbox.retry('mine');
    expect(sent).toEqual(['delayed', 'rejected']);
  });

  it('sends a reply without its quote on a retry when the quoted message does not exist any more', async () => {
    const sent: unknown[] = [];
    const outbox = new Outbox({
      send: async (body) => {
        if (body.reply_to_id !== undefined) throw new CallboardError(404, '消息不存在');
        sent.push(body);
        return {} as MessageResponse;
      },
      onSent: () => undefined,
      onChange: () => undefined,
      signal: () => new AbortController().signal,
    });
    await outbox.add({ type: 'text', content: 'answer', client_msg_id: 'mine', reply_to_id: 5 });
    expect(outbox.pending.map(({ error }) => error?.key)).toEqual(['MESSAGE_NOT_FOUND']);
    await outbox.retry('mine');
    expect(sent).toEqual([{ type: 'text', content: 'answer', client_msg_id: 'mine' }]);
    expect(outbox.pending).toEqual([]);
  });
});
