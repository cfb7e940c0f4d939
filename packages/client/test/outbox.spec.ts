import { eventually } from '../../../test/support/service-process.js';
import { Callboard, type LiveMessages } from '../src/index.js';
import { PASSWORD, PeopleOfService } from './support/people.js';

describe('Outbox', () => {
  let people: PeopleOfService;
  const opened: LiveMessages[] = [];
  beforeAll(async () => {
    people = await PeopleOfService.start();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    for (const chat of opened.splice(0)) chat.close();
  });
  afterAll(() => people?.stop());

  const make = async (given: typeof fetch = fetch) => {
    const { account, id: userId } = await people.make();
    const amy = new Callboard({ baseUrl: people.service.url, fetch: given });
    await amy.session.logIn(account, PASSWORD);
    const { id } = await amy.conversations.create({ body: { type: 'group', name: 'Alone' } });
    return { account, userId, amy, id };
  };

  const open = (client: Callboard, id: number): LiveMessages => {
    const chat = client.live.messages(id);
    opened.push(chat);
    return chat;
  };

  const write = (chat: LiveMessages, content: string) => chat.send({ type: 'text', content });
  const contents = (chat: LiveMessages) => chat.getSnapshot()?.messages.map(({ content }) => content);
  const pending = (chat: LiveMessages) =>
    chat.getSnapshot()?.pending.map(({ body, error }) => [body.content, error?.code]);
  const endSessions = (userId: number) =>
    people.service.send(1, 'DELETE', `/api/admin/users/${userId}/sessions`, undefined, 'admin');

  it('sends messages when a listener throws, and reports the error as uncaught', async () => {
    const { amy, id } = await make();
    const reported: (() => void)[] = [];
    jest.spyOn(globalThis, 'queueMicrotask').mockImplementation((act) => void reported.push(act));
    const chat = open(amy, id);
    chat.subscribe(() => {
      throw new Error('no room to keep it');
    });
    await Promise.all([write(chat, 'first'), write(chat, 'second')]);
    await write(chat, 'third');
    expect(pending(chat)).toEqual([]);
    const { items } = await amy.messages.list({ path: { id } });
    expect(items.map(({ content }) => content)).toEqual(['third', 'second', 'first']);
    expect(reported[0]).toThrow('no room to keep it');
  });

  it('keeps messages until the same user signs in again when the session ends', async () => {
    const { account, userId, amy, id } = await make();
    const chat = open(amy, id);
    await write(chat, 'before');
    await endSessions(userId);
    await Promise.all([write(chat, 'first'), write(chat, 'second')]);
    // 401 if a refresh has succeeded right before the session ended.
    const signedOut = expect.stringMatching(/^(signed_out|401)$/);
    expect(pending(chat)?.map(([content, code]) => [content, String(code)])).toEqual([
      ['first', signedOut],
      ['second', signedOut],
    ]);
    await amy.session.logIn(account, PASSWORD);
    const left = await eventually(
      async () => pending(chat),
      (some) => some?.length === 0,
    );
    expect(left).toEqual([]);
    const { items } = await amy.messages.list({ path: { id } });
    expect(items.map(({ content }) => content)).toEqual(['second', 'first', 'before']);
  });

  it('drops messages when a different user signs in', async () => {
    const { userId, amy, id } = await make();
    const bob = await people.make();
    await people.service.send(userId, 'POST', `/api/messages/conversations/${id}/members`, {
      user_ids: [bob.id],
    });
    const chat = open(amy, id);
    await eventually(
      async () => chat.isLoaded,
      (isLoaded) => isLoaded,
    );
    await endSessions(userId);
    await write(chat, 'by Amy');
    expect(pending(chat)).toEqual([['by Amy', 'signed_out']]);
    await amy.session.logIn(bob.account, PASSWORD);
    const left = await eventually(
      async () => pending(chat),
      (some) => some?.length === 0,
    );
    expect(left).toEqual([]);
    await write(chat, 'by Bob');
    const { items } = await amy.messages.list({ path: { id } });
    const said = items.filter(({ type }) => type === 'text').map(({ content }) => content);
    expect(said).not.toContain('by Amy');
    expect(said).toContain('by Bob');
  });

  it('loads the history when a message was sent before the first snapshot and there is no stream', async () => {
    const withoutStream: typeof fetch = async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      if (pathname === '/api/events') throw new TypeError('fetch failed');
      return fetch(input, init);
    };
    const { amy, id } = await make(withoutStream);
    await amy.messages.send({ path: { id }, body: { type: 'text', content: 'earlier' } });
    const chat = open(amy, id);
    const sending = write(chat, 'at once');
    expect(pending(chat)).toEqual([['at once', undefined]]);
    expect(chat.isLoaded).toBe(false);
    await sending;
    const all = await eventually(
      async () => contents(chat),
      (texts) => texts?.length === 2,
    );
    expect(all).toEqual(['at once', 'earlier']);
    expect(chat.isLoaded).toBe(true);
  });
});
