import { randomUUID } from 'node:crypto';
import { CROWD, FIRST_SINGLE, type Ids, LONG_CHAT, type Plan } from '../seed/plan';
import { ALL, as, JSON_BODY, read, type Scenario } from './scenario';

/** Messages of members in turn: connection number `index` sends as the member of that number. */
function sending(name: string, to: (plan: Plan) => { conversation: number; members: Ids }[]): Scenario {
  return {
    part: 'messaging',
    name,
    kind: 'write',
    servers: ALL,
    requests: (plan, index, connections) => {
      const places = to(plan);
      const own = places.filter((_, place) => places.length < connections || place % connections === index);
      return own.map(({ conversation, members }) => ({
        method: 'POST',
        path: `/api/messages/conversations/${conversation}/messages`,
        headers: { ...as(members.first + (index % members.count)), ...JSON_BODY },
        setupRequest: (request) => ({
          ...request,
          body: JSON.stringify({ type: 'text', content: 'See you at eight', client_msg_id: randomUUID() }),
        }),
      }));
    },
  };
}

/**
 * Opens a chat that has an unread message: one member sends, another one reads page 1. Every connection has its own
 * chat, so that its message is unread when it reads.
 */
function opening(
  name: string,
  of: (plan: Plan, index: number) => { conversation: number; sender: number; reader: number },
): Scenario {
  return {
    part: 'messaging',
    name,
    kind: 'write',
    requestsPerUnit: 2,
    servers: ['service', 'floor'],
    isCpuOnly: true,
    requests: (plan, index) => {
      const { conversation, sender, reader } = of(plan, index);
      const path = `/api/messages/conversations/${conversation}/messages`;
      const body = JSON.stringify({ type: 'text', content: 'See you at eight' });
      return [
        { method: 'POST', path, headers: { ...as(sender), ...JSON_BODY }, body },
        { method: 'GET', path, headers: as(reader) },
      ];
    },
  };
}

/** Returns the members of the group with this index (see `seed/messaging.ts`). */
export function groupMembers({ users, hotGroup, groupMembers: count }: Plan, index: number): Ids {
  const { first } = hotGroup.members;
  const span = Math.floor((users - first + 1) / count);
  return { first: first + (index % span) * count, count };
}

const history = (name: string, query: (plan: Plan) => string, conversation = LONG_CHAT): Scenario => ({
  ...read('messaging', name, (plan) => `/api/messages/conversations/${conversation}/messages?${query(plan)}`),
  servers: ALL,
});

export const MESSAGING: Scenario[] = [
  read('messaging', 'conversations, page 1', () => '/api/messages/conversations'),
  history('history, page 1', () => 'page=1'),
  history('history, a deep page', ({ history: rows }) => `page=${Math.floor(rows / 100)}`),
  history('history of the largest group', () => 'page=1', CROWD),
  sending('send to a single chat', ({ chat }) => [
    { conversation: chat.id, members: { first: chat.users[0], count: 2 } },
  ]),
  sending('send to a group of 50', ({ hotGroup: { id, members } }) => [{ conversation: id, members }]),
  sending('send to the largest group', () => [{ conversation: CROWD, members: { first: 2, count: 90 } }]),
  {
    ...sending('one account to its 2,000 chats', ({ users }) =>
      Array.from({ length: users - FIRST_SINGLE + 1 }, (_, index) => ({
        conversation: FIRST_SINGLE + index,
        members: { first: 1, count: 1 },
      })),
    ),
    connections: 32,
  },
  {
    ...sending('one account to a group of 50', ({ hotGroup: { id, members } }) => [
      { conversation: id, members: { first: members.first, count: 1 } },
    ]),
    connections: 32,
  },
  sending('send to many groups', (plan) =>
    Array.from({ length: plan.groups.count }, (_, index) => ({
      conversation: plan.groups.first + index,
      members: groupMembers(plan, index),
    })),
  ),
  {
    ...sending('one account to many groups', ({ groups, guest }) =>
      Array.from({ length: groups.count }, (_, index) => ({
        conversation: groups.first + index,
        members: { first: guest, count: 1 },
      })),
    ),
    isCpuOnly: true,
  },
  opening('send, open the single chat', (_, index) => ({
    conversation: FIRST_SINGLE + index,
    sender: 1,
    reader: FIRST_SINGLE + index,
  })),
  opening('send, open the group', (plan, index) => {
    const { first } = groupMembers(plan, index);
    return { conversation: plan.groups.first + index, sender: first, reader: first + 1 };
  }),
];
