import { eventually } from '../../../test/support/service-process.js';
import { type Callboard, CallboardError, type LiveMessages } from '../src/index.js';
import { PeopleOfService } from './support/people.js';

const PER_PAGE = 10;

describe('A window of a history', () => {
  let people: PeopleOfService;
  let amy: Callboard;
  let bob: Callboard;
  let id: number;
  let ids: number[];
  const opened: LiveMessages[] = [];

  beforeAll(async () => {
    people = await PeopleOfService.start({ HTTP_STATUS_MODE: 'always_200', RATE_LIMIT_PER_MINUTE: '0' });
    [amy, bob] = [await people.signIn(), await people.signIn()];
    ({ id } = await amy.conversations.create({ body: { type: 'single', peer_id: await bob.userId() } }));
    ids = [];
    for (let number = 0; number < 60; number += 1) ids.push((await say(`message ${number}`)).id);
  });
  afterEach(() => {
    for (const chat of opened.splice(0)) chat.close();
  });
  afterAll(() => people?.stop());

  const say = (content: string) => amy.messages.send({ path: { id }, body: { type: 'text', content } });

  async function open(): Promise<LiveMessages> {
    const chat = bob.live.messages(id, { perPage: PER_PAGE });
    opened.push(chat);
    await eventually(
      async () => chat.getSnapshot(),
      (state) => state !== undefined,
    );
    return chat;
  }

  const idsOf = (chat: LiveMessages): number[] | undefined =>
    chat.getSnapshot()?.messages.map((message) => message.id);

  /** Ids of the messages from `first` to `last`, newest first. */
  const between = (first: number, last: number): number[] => ids.slice(first, last + 1).toReversed();

  it('moves to the messages around a jump target, and can be extended in both directions', async () => {
    const chat = await open();
    await chat.jumpTo(ids[20] ?? 0);
    expect(idsOf(chat)).toEqual(between(10, 29));
    expect(chat.getSnapshot()).toMatchObject({ hasOlder: true, hasNewer: true });
    await Promise.all([chat.loadOlder(), chat.loadOlder()]);
    expect(idsOf(chat)).toEqual(between(0, 29));
    expect(chat.getSnapshot()).toMatchObject({ hasOlder: false, hasNewer: true });
    await chat.loadNewer();
    expect(idsOf(chat)).toEqual(between(0, 39));
    await chat.loadNewer();
    await chat.loadNewer();
    expect(idsOf(chat)).toEqual(between(0, 59));
    expect(chat.getSnapshot()).toMatchObject({ hasOlder: false, hasNewer: false });
  });

  it('starts with the first message when that is the jump target', async () => {
    const chat = await open();
    await chat.jumpTo(ids[0] ?? 0);
    expect(idsOf(chat)).toEqual(between(0, 10));
    expect(chat.getSnapshot()).toMatchObject({ hasOlder: false, hasNewer: true });
  });

  it('keeps its position while newer messages arrive, applies events to its messages, and jumps to the newest', async () => {
    const chat = await open();
    await chat.jumpTo(ids[20] ?? 0);
    const [react, before] = [ids[20] ?? 0, idsOf(chat)];
    const newest = await say('one more');
    ids.push(newest.id);
    await amy.messages.reactTo({ path: { id: react }, body: { emoji: '👍' } });
    await eventually(
      async () => chat.getSnapshot()?.messages.find((one) => one.id === react)?.reactions.length,
      (count) => count === 1,
    );
    expect(idsOf(chat)).toEqual(before);
    await chat.reload();
    expect(idsOf(chat)).toEqual(before);
    await chat.jumpToNewest();
    expect(idsOf(chat)).toEqual(between(51, 60));
    expect(chat.getSnapshot()).toMatchObject({ hasOlder: true, hasNewer: false });
  });

  it('moves to the first messages', async () => {
    const chat = await open();
    await chat.jumpToOldest();
    expect(idsOf(chat)).toEqual(between(0, 10));
    expect(chat.getSnapshot()).toMatchObject({ hasOlder: false, hasNewer: true });
  });

  it('moves to the first message since the user joined', async () => {
    const { id: other } = await amy.conversations.create({ body: { type: 'group', name: 'Late' } });
    const write = (index: number) =>
      amy.messages.send({ path: { id: other }, body: { type: 'text', content: `late ${index}` } });
    for (let number = 0; number < 5; number += 1) await write(number);
    await amy.conversations.addMembers({
      path: { id: other },
      body: { user_ids: [await bob.userId()] },
    });
    for (let number = 5; number < 30; number += 1) await write(number);
    const chat = bob.live.messages(other, { perPage: PER_PAGE });
    opened.push(chat);
    await eventually(
      async () => chat.getSnapshot(),
      (state) => state !== undefined,
    );
    await chat.jumpToOldest();
    const [joined, first] = chat.getSnapshot()?.messages.toReversed() ?? [];
    expect([joined?.notice?.event, first?.content]).toEqual(['members_added', 'late 5']);
    expect(chat.getSnapshot()).toMatchObject({ hasOlder: false, hasNewer: true });
  });

  it('moves to a jump target when a page of older messages arrives first', async () => {
    const chat = await open();
    await Promise.all([chat.jumpTo(ids[20] ?? 0), chat.loadOlder()]);
    expect(idsOf(chat)).toEqual(between(10, 29));
  });

  it('stays at the newest messages when a jump to them follows a slower one', async () => {
    const chat = await open();
    const newest = idsOf(chat);
    await Promise.all([chat.jumpTo(ids[20] ?? 0), chat.jumpToNewest()]);
    expect(idsOf(chat)).toEqual(newest);
  });

  it('stays at a loaded jump target when the jump to it follows a slower one', async () => {
    const chat = await open();
    const newest = idsOf(chat);
    await Promise.all([chat.jumpTo(ids[20] ?? 0), chat.jumpTo(newest?.[3] ?? 0)]);
    expect(idsOf(chat)).toEqual(newest);
  });

  it('fails with 404 and does not move when the jump target does not exist', async () => {
    const chat = await open();
    const before = idsOf(chat);
    await expect(chat.jumpTo(999_999)).rejects.toMatchObject({ code: 404 });
    expect(idsOf(chat)).toEqual(before);
  });

  it('drops messages at the other end when more than 500 are loaded', async () => {
    const { id: other } = await amy.conversations.create({
      body: { type: 'group', name: 'Long', member_ids: [await bob.userId()] },
    });
    for (let number = 0; number < 620; number += 1)
      await amy.messages.send({ path: { id: other }, body: { type: 'text', content: `long ${number}` } });
    const chat = bob.live.messages(other, { perPage: 100 });
    opened.push(chat);
    const contents = () => chat.getSnapshot()?.messages.map(({ content }) => content) ?? [];
    await eventually(
      async () => contents().length,
      (count) => count === 100,
    );
    for (let page = 0; page < 6; page += 1) await chat.loadOlder();
    expect([contents()[0], contents().at(-1), contents().length]).toEqual(['long 499', 'long 0', 500]);
    await chat.loadNewer();
    await chat.loadNewer();
    expect([contents()[0], contents().at(-1), contents().length]).toEqual(['long 619', 'long 120', 500]);
    expect(chat.getSnapshot()).toMatchObject({ hasOlder: true, hasNewer: false });
  });
});

describe('Sending without a connection', () => {
  it('sends each message once and in order when the connection is back', async () => {
    const people = await PeopleOfService.start();
    let isCut = false;
    const cut: typeof fetch = async (input, init) => {
      if (isCut) throw new TypeError('fetch failed');
      return fetch(input, init);
    };
    const bob = await people.signIn();
    const amy = await people.signIn({ fetch: cut });
    const { id } = await amy.conversations.create({
      body: { type: 'single', peer_id: await bob.userId() },
    });
    const chat = amy.live.messages(id);
    await eventually(
      async () => chat.getSnapshot(),
      (state) => state !== undefined,
    );
    isCut = true;
    await Promise.all(['first', 'second'].map((content) => chat.send({ type: 'text', content })));
    expect(chat.getSnapshot()?.pending.map(({ body, error }) => [body.content, error?.code])).toEqual([
      ['first', 'network'],
      ['second', 'network'],
    ]);
    isCut = false;
    await chat.send({ type: 'text', content: 'third' });
    expect(chat.getSnapshot()?.pending).toEqual([]);
    const { items } = await bob.messages.list({ path: { id } });
    expect(items.map(({ content }) => content)).toEqual(['third', 'second', 'first']);

    isCut = true;
    await chat.send({ type: 'text', content: 'fourth' });
    isCut = false;
    // No event reports that the connection works again: the outbox retries after a delay.
    const all = await eventually(
      async () => (await bob.messages.list({ path: { id } })).items,
      ({ length }) => length === 4,
    );
    expect(all[0]?.content).toBe('fourth');
    chat.close();
    await people.stop();
  });

  it('keeps a rejected message with its error, and sends the messages after it', async () => {
    const people = await PeopleOfService.start();
    const amy = await people.signIn();
    const { id } = await amy.conversations.create({ body: { type: 'group', name: 'Alone' } });
    const chat = amy.live.messages(id);
    await Promise.all([
      chat.send({ type: 'text', content: 'x'.repeat(5_001) }),
      chat.send({ type: 'text', content: 'short' }),
    ]);
    const [refused, ...others] = chat.getSnapshot()?.pending ?? [];
    expect(refused?.error).toBeInstanceOf(CallboardError);
    expect(refused?.error?.code).toBe(422);
    expect(others).toEqual([]);
    chat.discard(refused?.clientMsgId ?? '');
    expect(chat.getSnapshot()?.pending).toEqual([]);
    chat.close();
    await people.stop();
  });
});
