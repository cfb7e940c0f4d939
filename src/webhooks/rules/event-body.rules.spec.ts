import { bodyOf, hasContent } from './event-body.rules';

const message = {
  id: 'msg_1',
  type: 'message.created',
  at: new Date('2026-01-31T08:00:00.123Z'),
  data: '{"message_id":7,"conversation_id":3,"sender_id":2,"message_type":"text","content":"hi","extra":null}',
};

describe('The body of an event', () => {
  it('is an envelope around its data', () => {
    expect(JSON.parse(bodyOf(message, { version: '2026-12-01', withContent: true }))).toEqual({
      id: 'msg_1',
      type: 'message.created',
      timestamp: '2026-01-31T08:00:00.123Z',
      version: '2026-12-01',
      data: {
        message_id: 7,
        conversation_id: 3,
        sender_id: 2,
        message_type: 'text',
        content: 'hi',
        extra: null,
      },
    });
  });

  it.each([
    ['message.created', { message_id: 7 }, { content: 'hi', extra: { name: 'a' } }],
    ['message.recalled', { message_id: 7 }, { content: 'hi', extra: null }],
    ['notification.sent', { created: 3, audience: 'all' }, { title: 'News', content: 'hi' }],
  ])('of %s has content only when it is requested', (type, rest, content) => {
    const event = { ...message, type, data: JSON.stringify({ ...rest, ...content }) };
    const dataIn = (withContent: boolean): unknown =>
      (JSON.parse(bodyOf(event, { version: '2026-12-01', withContent })) as { data: unknown }).data;
    expect(dataIn(true)).toEqual({ ...rest, ...content });
    expect(dataIn(false)).toEqual(rest);
    expect(hasContent(type)).toBe(true);
  });

  it('of any other type is the same with and without content', () => {
    const event = {
      ...message,
      type: 'call.ended',
      data: '{"call":{"call_id":1},"content":"a field of its own"}',
    };
    const [without, withContent] = [false, true].map((asked) =>
      bodyOf(event, { version: '2026-12-01', withContent: asked }),
    );
    expect(without).toBe(withContent);
    expect(hasContent('call.ended')).toBe(false);
  });
});
