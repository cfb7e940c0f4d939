import { ChatUser } from '../support/messaging';
import { createTestApp, type TestApp } from '../support/test-app';

/** Keys with a meaning in JavaScript, at any depth and in lists, and similar ones. */
const EXTRA =
  '{"__proto__":{"a":1},"constructor":{"prototype":{"b":2},"__proto__":null},' +
  '"deep":[{"constructor":1,"list":[{"__proto__":[]}]}],"toString":"x","hasOwnProperty":false,"name":"n"}';

describe('The extra field of a message', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  let path: string;
  beforeAll(async () => {
    test = await createTestApp();
    [ann, ben] = (await ChatUser.signInAll(test.api, [1, 2])) as [ChatUser, ChatUser];
    path = `/api/messages/conversations/${await ann.openSingle(2)}/messages`;
  });
  afterAll(() => test?.close());

  const send = (extra: string, id?: string) =>
    ann.api.send(
      'POST',
      path,
      `{"type":"file","content":"https://x.test/f","extra":${extra}${id === undefined ? '' : `,"client_msg_id":"${id}"`}}`,
    );

  it('is returned, stored and published as sent, with any keys', async () => {
    const { headers } = await ben.api.get('/api/messages/conversations');
    const sent = await send(EXTRA);
    expect(sent.text).toContain(`"extra":${EXTRA}`);
    expect(sent.body.data.display_content).toBe('[文件] n');
    expect((await ben.api.get(path)).text).toContain(`"extra":${EXTRA}`);
    const received = await ben.api.get(`/api/events/poll?after=${String(headers['x-event-cursor'])}`);
    expect(received.text).toContain(`"extra":${EXTRA}`);
    const [row] = await test.query(`SELECT extra FROM messages WHERE id = ${sent.body.data.id}`);
    expect(row).toEqual({ extra: EXTRA });
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  });

  it('is compared by value under an id', async () => {
    const [one, other] = ['{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'];
    const first = await send(one, 'again');
    expect(first.body.code).toBe(0);
    const again = await send(one, 'again');
    expect(again.body.data.id).toBe(first.body.data.id);
    expect(again.text).toContain(`"extra":${one}`);
    expect((await send(other, 'again')).body).toEqual({
      code: 409,
      message: '请求标识已被使用',
      data: null,
    });
  });

  it.each(['{"n":1e999}', '{"n":[{"m":-1e400}]}'])(
    'rejects infinite numbers, which would be stored as null: %s',
    async (extra) => {
      expect((await send(extra)).body).toEqual({ code: 422, message: 'extra 取值无效', data: null });
    },
  );

  it('has at most 4,096 bytes and 60 levels', async () => {
    const full = `{"x":"${'y'.repeat(4_088)}"}`;
    expect((await send(full)).text).toContain(`"extra":${full}`);
    expect((await send(`{"x":"${'y'.repeat(4_089)}"}`)).body.message).toBe('extra 取值无效');
    const deep = `${'{"x":'.repeat(60)}1${'}'.repeat(60)}`;
    expect((await send(deep)).text).toContain(`"extra":${deep}`);
  });
});
