import * as fc from 'fast-check';
import type { ApiClient } from './api-client';
import type { FakeClock } from './fake-clock';

/* Users who perform random actions in conversations. */

const ACTION_KINDS =
  'send send send send reply mention mention mentionAll forward edit edit recall recall react react react delete delete clear readTo read history add add remove leave own own end rename pin unpin hide hide show mute muteFor single single group wait'.split(
    ' ',
  );

/** An action of one user in a conversation, possibly on another user or a message. */
export interface Action {
  kind: string;
  who: number;
  place: number;
  which: number;
}

export const arbitraryAction = (people: number): fc.Arbitrary<Action> =>
  fc.record({
    kind: fc.constantFrom(...ACTION_KINDS),
    who: fc.nat({ max: people - 1 }),
    place: fc.nat({ max: 3 }),
    which: fc.nat({ max: 5 }),
  });

const BASE = '/api/messages/conversations';
const SETTINGS: Record<string, object> = {
  pin: { pinned: true },
  unpin: { pinned: false },
  hide: { hidden: true },
  show: { hidden: false },
  mute: { muted: true },
  muteFor: { mute_until: '2099-01-01T00:00:00.000Z' },
};

let edits = 0;

const EMOJIS = ['👍', '❤', '❤️'];

type MessageAction = (user: ApiClient, path: string, id: number, which: number) => Promise<unknown>;

/** Actions on one of the newest messages. */
const MESSAGE_ACTIONS: Record<string, MessageAction> = {
  delete: (user, _, id) => user.delete(`/api/messages/${id}`),
  react: (user, _, id, which) =>
    user.put(`/api/messages/${id}/reactions`, { emoji: EMOJIS[which % 3], reacted: which < 4 }),
  recall: (user, _, id) => user.post(`/api/messages/${id}/recall`),
  edit: (user, _, id) => user.put(`/api/messages/${id}`, { content: `edit ${(edits += 1)}` }),
  readTo: (user, path, id) => user.post(`${path}/read`, { message_id: id }),
  reply: (user, path, id) => user.post(`${path}/messages`, { type: 'text', content: 'so?', reply_to_id: id }),
  forward: (user, path, id) => user.post(`${path}/messages`, { forward_id: id }),
};

/** The users, and the conversations that they are or were members of. */
export interface ConversationFixture {
  clock: FakeClock;
  ids: number[];
  people: ApiClient[];
  conversations: number[];
}

/** Performs the action. Rejected actions are ignored. */
export async function performAction(
  { kind, who, place, which }: Action,
  fixture: ConversationFixture,
): Promise<void> {
  const { clock, ids, people, conversations } = fixture;
  const user = people[who] as ApiClient;
  const other = ids[which % ids.length];
  const path = `${BASE}/${conversations[place % conversations.length]}`;
  if (kind === 'wait') clock.advance(1 + which);
  else if (kind === 'single' || kind === 'group') {
    const body = kind === 'single' ? { peer_id: other } : { name: `G${which}`, member_ids: [other] };
    const created = await user.post(BASE, { type: kind, ...body });
    if (created.body.code === 0) conversations.push(created.body.data.id);
  } else if (kind === 'send') await user.post(`${path}/messages`, { type: 'text', content: `m${which}` });
  else if (kind === 'mention')
    await user.post(`${path}/messages`, { type: 'text', content: 'you', mentions: [other] });
  else if (kind === 'mentionAll')
    await user.post(`${path}/messages`, { type: 'text', content: 'all', mention_all: true });
  else if (kind === 'rename') await user.put(path, { name: `name ${which}` });
  else if (kind === 'read') await user.post(`${path}/read`, {});
  else if (kind === 'history') await user.get(`${path}/messages`);
  else if (kind === 'own') await user.put(`${path}/owner`, { user_id: other });
  else if (kind === 'end') await user.delete(path);
  else if (kind === 'add') await user.post(`${path}/members`, { user_ids: [other] });
  else if (kind === 'remove' || kind === 'leave')
    await user.delete(`${path}/members/${kind === 'leave' ? ids[who] : other}`);
  else if (kind === 'clear') await user.post(`${path}/clear`);
  else if (kind in MESSAGE_ACTIONS) {
    const history = await user.get(`${path}/messages?mark_read=0`);
    // Chooses the newest message, so that several users react to the same one.
    const id = history.body.data?.items[kind === 'react' ? 0 : which]?.id as number | undefined;
    if (id !== undefined) await MESSAGE_ACTIONS[kind]?.(user, path, id, which);
  } else await user.put(`${path}/settings`, SETTINGS[kind]);
}
