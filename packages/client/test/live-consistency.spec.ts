import * as fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { propertyRuns } from '../../../test/support/property-runs.js';
import { eventually } from '../../../test/support/service-process.js';
import type {
  Callboard,
  Conversation,
  LiveConversations,
  LiveMessages,
  LiveUnreadNotifications,
  Message,
} from '../src/index.js';
import { sortConversations } from '../src/live/conversation-list.js';
import { BrokenNetwork, type Fate } from './support/broken-network.js';
import { PeopleOfService } from './support/people.js';

/*
 * Property: the stores of the client are equal to what the service returns, after random operations of two users over
 * connections that break at random. Failures are races, so counterexamples are not shrunk.
 */

const ACTS =
  'send send send reply edit recall react delete read clear pin unpin hide group rename leave'.split(' ');
const FATES: Fate[] = ['lost before', 'lost after', 'busy', 'proxy page', 'refused token'];

interface Step {
  act: string;
  who: number;
  which: number;
  breaks: boolean;
  fates: Fate[];
}

const steps = fc.array(
  fc.record({
    act: fc.constantFrom(...ACTS),
    who: fc.nat({ max: 1 }),
    which: fc.nat({ max: 3 }),
    breaks: fc.boolean(),
    fates: fc.uniqueArray(fc.constantFrom(...FATES), { maxLength: 2 }),
  }),
  { minLength: 3, maxLength: 20 },
);

/** A user with the stores of a client. */
interface Person {
  client: Callboard;
  network: BrokenNetwork;
  list: LiveConversations;
  history: LiveMessages;
  unread: LiveUnreadNotifications;
}

/** Removes `time`, a text that depends on the time of the request. */
const shown = ({ time: _time, ...conversation }: Conversation): object => conversation;
/** Removes texts that the service renders for deleted messages, and quotes of messages that the user cannot see. */
const said = ({ display_content: _words, reply_to: _quote, ...message }: Message): object => message;

/** Number of sent messages. Gives every message a different content. */
let sent = 0;

describe('A live store over a broken network', () => {
  let people: PeopleOfService;
  beforeAll(async () => {
    // Errors have HTTP status 200, which must make no difference to the client.
    people = await PeopleOfService.start({ HTTP_STATUS_MODE: 'always_200' });
  });
  afterAll(() => people?.stop());

  async function arrive(conversation: (client: Callboard) => Promise<number>): Promise<Person> {
    const network = new BrokenNetwork();
    const client = await people.signIn({ fetch: network.fetch });
    const { live } = client;
    const history = live.messages(await conversation(client));
    return {
      client,
      network,
      history,
      list: live.conversations({ perPage: 100 }),
      unread: live.unreadNotifications(),
    };
  }

  async function begin(): Promise<[Person, Person, number]> {
    const meeting = await people.make();
    let id = 0;
    const first = await arrive(async ({ conversations }) => {
      const made = await conversations.create({
        body: { type: 'group', name: 'All', member_ids: [meeting.id] },
      });
      return (id = made.id);
    });
    const second = await arrive(async (client) => {
      const userId = await client.userId();
      await first.client.conversations.addMembers({ path: { id }, body: { user_ids: [userId] } });
      const single = await client.conversations.create({
        body: { type: 'single', peer_id: await first.client.userId() },
      });
      return (id = single.id);
    });
    first.history.close();
    first.history = first.client.live.messages(id);
    return [first, second, id];
  }

  /** Executes a step. Rejects if the service denies it, which the caller accepts. */
  async function play({ act, which }: Step, { client }: Person, id: number): Promise<void> {
    const path = { id };
    const { conversations, messages } = client;
    const newest = async (): Promise<{ id: number }> => {
      const { items } = await messages.list({ path, query: { mark_read: 0 } });
      return { id: items[which % Math.max(items.length, 1)]?.id ?? 1 };
    };
    if (act === 'send') await messages.send({ path, body: { type: 'text', content: `m${(sent += 1)}` } });
    else if (act === 'reply')
      await messages.send({ path, body: { type: 'text', content: 'so?', reply_to_id: (await newest()).id } });
    else if (act === 'edit')
      await messages.edit({ path: await newest(), body: { content: `edit ${which}` } });
    else if (act === 'recall') await messages.recall({ path: await newest() });
    else if (act === 'react')
      await messages.reactTo({ path: await newest(), body: { emoji: '👍', reacted: which < 3 } });
    else if (act === 'delete') await messages.delete({ path: await newest() });
    else if (act === 'read') await conversations.markRead({ path, body: {} });
    else if (act === 'clear') await messages.clearConversation({ path });
    else if (act === 'group')
      await conversations.create({ body: { type: 'group', name: `G${which}`, member_ids: [1] } });
    else if (act === 'rename' || act === 'leave') {
      const { items } = await conversations.list({ query: { type: 'group' } });
      const group = items[which % Math.max(items.length, 1)]?.id ?? 0;
      if (act === 'rename')
        await conversations.change({ path: { id: group }, body: { name: `name ${which}` } });
      else if (which === 0)
        await conversations.removeMember({ path: { id: group, userId: await client.userId() } });
    } else {
      const settings = { pin: { pinned: true }, unpin: { pinned: false }, hide: { hidden: true } }[act];
      await conversations.changeSettings({ path, body: settings ?? {} });
    }
  }

  const kept = ({ list, history, unread }: Person): unknown[] => [
    list.getSnapshot()?.conversations.map(shown),
    history.getSnapshot()?.messages.map(said),
    unread.getSnapshot(),
  ];

  async function fetched({ client }: Person, id: number): Promise<unknown[]> {
    const { items } = await client.conversations.list({ query: { per_page: 100 } });
    const { items: messages } = await client.messages.list({
      path: { id },
      query: { mark_read: 0, per_page: 50 },
    });
    // Sorted here, because conversations of the same second may be in a different order: for members who have just joined, events
    // contain times in seconds.
    return [
      sortConversations(items).map(shown),
      messages.map(said),
      await client.notifications.countUnread(),
    ];
  }

  it('is equal to what it would fetch', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const [first, second, id] = await begin();
        for (const step of all) {
          const person = step.who === 0 ? first : second;
          if (step.breaks) person.network.breakStreams();
          person.network.fates.push(...step.fates);
          await play(step, person, id).catch(({ code }: { code: unknown }) =>
            expect([403, 404, 409, 422]).toContain(code),
          );
        }
        for (const person of [first, second]) {
          person.network.fates = [];
          const fresh = await fetched(person, id);
          const now = await eventually(
            async () => kept(person),
            (state) => isDeepStrictEqual(state, fresh),
          );
          expect(now).toEqual(fresh);
          const contents = person.history
            .getSnapshot()
            ?.messages.flatMap(({ content }) => content.match(/^m\d+$/) ?? []);
          // No message was stored twice.
          expect(new Set(contents).size).toBe(contents?.length);
        }
        for (const { list, history, unread } of [first, second])
          for (const store of [list, history, unread]) store.close();
      }),
      { ...propertyRuns(12), endOnFailure: true },
    );
  });
});
