import type { EntityManager } from 'typeorm';
import { byPrimaryKey, placeholders, toMoment, tupleList, tupleListOfChange } from '../../database/dialect';
import type { ConversationId, MessageId } from '../../common/ids';
import { insertAllotted, insertRows } from '../../database/rows';
import { MessageIdEntity } from '../entities/message-id.entity';
import { MessageEntity } from '../entities/message.entity';
import { storedMentions } from '../rules/mentions';
import type { Message } from './message.queries';

/* What is written when messages are sent. */

/** A message as it is first stored. */
export interface NewMessage extends Message {
  /** Of what was sent, where there is a `client_msg_id`. */
  content_hash: string | null;
}

/** A number for each of some keys, as an expression: of a row with another key, what `otherwise` is. */
const caseOf = (column: string, numbers: ReadonlyMap<number, number>, otherwise: string): string =>
  `CASE ${column} ${Array.from(numbers, () => 'WHEN ? THEN ?').join(' ')} ELSE ${otherwise} END`;

/** Moves the numbers of conversations' newest messages up. The conversations are held. */
export async function raiseTops(em: EntityManager, tops: ReadonlyMap<number, number>): Promise<void> {
  const ids = [...tops.keys()];
  await em.query(
    `UPDATE conversations SET max_seq = ${caseOf('id', tops, 'max_seq')} WHERE id IN (${placeholders(ids)})`,
    [...[...tops].flat(), ...ids],
  );
}

/** Ids of new messages, in their order. */
export async function allotIds(
  em: EntityManager,
  places: Pick<Message, 'conversation_id' | 'seq'>[],
): Promise<MessageId[]> {
  const rows = places.map(({ conversation_id, seq }) => ({ conversation_id, seq }));
  return (await insertAllotted(em, MessageIdEntity, rows)) as MessageId[];
}

/** @throws {QueryFailedError} a unique key: a `client_msg_id` was used before */
export async function insertMessages(em: EntityManager, messages: readonly NewMessage[]): Promise<void> {
  const rows = messages.map(({ conversation_id, seq, id, sender_id, type, content, extra, ...rest }) => ({
    conversation_id,
    seq,
    id,
    sender_id,
    type,
    content,
    extra: extra === null ? null : JSON.stringify(extra),
    created_at: rest.created_at,
    recalled_at: null,
    reply_seq: rest.reply_seq,
    mentions: storedMentions(rest),
    is_forwarded: rest.is_forwarded,
    edited_at: null,
    client_msg_id: rest.client_msg_id,
    content_hash: rest.content_hash,
  }));
  await insertRows(em, MessageEntity, rows);
}

/** A conversation whose messages are sent, and where its senders stand then. */
export interface Moved {
  conversation_id: ConversationId;
  pulled: boolean;
  /** The number of the last message of each sender. */
  positions: ReadonlyMap<number, number>;
}

/**
 * Moves the senders' read positions, and the conversations to the top of the lists they are hidden in or lower down: of
 * every member's, or, where they are too many, only out of the senders' hiding places.
 */
export async function moveToTop(em: EntityManager, moved: readonly Moved[], sortAt: Date): Promise<void> {
  const large = moved.filter(({ pulled }) => pulled);
  const others = moved.filter(({ pulled }) => !pulled);
  if (others.length > 0) {
    const ids = others.map(({ conversation_id }) => conversation_id);
    await move(em, others, `, sort_at = ? WHERE conversation_id IN (${placeholders(ids)})`, [
      toMoment(em, sortAt),
      ...ids,
    ]);
  }
  if (large.length > 0) {
    const senders = sendersOf(large);
    await move(
      em,
      large,
      ` WHERE (conversation_id, user_id) IN ${tupleListOfChange(em, senders, '?, ?')}`,
      senders.flat(),
    );
  }
}

const sendersOf = (moved: readonly Moved[]): [conversationId: number, userId: number][] =>
  moved.flatMap(({ conversation_id, positions }) =>
    Array.from(positions.keys(), (userId): [number, number] => [conversation_id, userId]),
  );

async function move(em: EntityManager, moved: readonly Moved[], rest: string, parameters: unknown[]) {
  const cases = moved.map(({ positions }) => `WHEN ? THEN ${caseOf('user_id', positions, 'read_seq')}`);
  const senders = sendersOf(moved);
  await em.query(
    `UPDATE conversation_members ${byPrimaryKey(em)} SET hidden = 0,
       read_seq = CASE conversation_id ${cases.join(' ')} ELSE read_seq END,
       recalled_ahead = CASE WHEN (conversation_id, user_id) IN ${tupleList(em, senders, '?, ?')} THEN 0
         ELSE recalled_ahead END${rest}`,
    [
      ...moved.flatMap(({ conversation_id, positions }) => [conversation_id, ...[...positions].flat()]),
      ...senders.flat(),
      ...parameters,
    ],
  );
}
