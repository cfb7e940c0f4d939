import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { noteAuditOf } from '../../audit/trail/note-audit';
import { Clock } from '../../common/clock';
import type { MessageId } from '../../common/ids';
import { BusinessError } from '../../common/errors/business-error';
import { changeCounts, changeOf, shareOf } from '../store/conversation-counts';
import { ConversationEvents, type SentMessage } from '../events/conversation-events';
import type { MessageResponse } from '../dto/message.dto';
import { contentHash } from '../rules/message-content';
import { allotIds, insertMessages, moveToTop, type NewMessage, raiseTops } from '../store/message-rows';
import { MessageViews } from '../views/message-views';
import { recordFirstReads, recordReads } from '../store/read-log';
import { lockSendContexts, type SendContext, type Sender, usedIds } from '../store/senders.queries';
import { type Numbered, numberSends, outcomesOf, unreadAfter } from '../rules/send-batch';
import { recordMentions } from '../store/messages/mention-rows';
import { type MessageSend, type PreparedSend, prepareSends } from './sending/prepare-sends';

/** What is sent to one conversation. */
interface Bundle {
  context: SendContext;
  /** One of the senders: what they have in common is the conversation's. */
  group: Sender;
  sends: (Numbered<MessageSend> & { sender: Sender; prepared: PreparedSend })[];
}

/** A message that is written, and its sender as the sender stands then. */
interface Written {
  sender: Sender;
  message: NewMessage;
  original: PreparedSend['original'];
}

/** Writes messages in one transaction, as if each had its own. */
@Injectable()
export class MessageWriter {
  constructor(
    private readonly clock: Clock,
    private readonly views: MessageViews,
    private readonly events: ConversationEvents,
  ) {}

  /**
   * The conversations are held from the first statement to the commit, so numbers are in the order of commits; the time
   * is taken under these locks too, so it never runs against them.
   * @param lookFirst whether to look which of the clients' ids were used before; else such a one fails all of it on
   *   its unique key
   * @returns for each send the message as its sender sees it, or undefined when it was sent before, or the error that
   *   is its sender's alone: CONVERSATION_FORBIDDEN, or what `prepareSends` refuses
   */
  async write(
    em: EntityManager,
    sends: readonly MessageSend[],
    { lookFirst }: { lookFirst: boolean },
  ): Promise<(MessageResponse | undefined | BusinessError)[]> {
    const places = sends.map(({ conversationId, userId }) => ({ conversationId, userId }));
    const contexts = await lockSendContexts(em, places);
    const prepared = await prepareSends(em, sends, contexts);
    const isRefused = (send: MessageSend): boolean => prepared.get(send) instanceof BusinessError;
    // What is refused may have been sent before, and is then answered all the same.
    const mustLook = sends.some((send) => send.body.client_msg_id !== undefined && isRefused(send));
    const used = lookFirst || mustLook ? await usedIds(em, sends) : [];
    const outcomes = outcomesOf(
      sends,
      (send) => prepared.has(send),
      used,
      (send) => !isRefused(send),
    );
    const fresh = sends.filter((_, index) => outcomes[index] === 'new');
    const answers = await this.#writeFresh(em, bundlesOf(fresh, contexts, prepared));
    return sends.map((send, index) => {
      if (outcomes[index] !== 'refused') return answers.get(send);
      const refusal = prepared.get(send);
      return refusal instanceof BusinessError ? refusal : new BusinessError('CONVERSATION_FORBIDDEN');
    });
  }

  /** @param bundles of members' sends, none of them sent before */
  async #writeFresh(em: EntityManager, bundles: Bundle[]): Promise<Map<MessageSend, MessageResponse>> {
    const answers = new Map<MessageSend, MessageResponse>();
    if (bundles.length === 0) return answers;
    const now = this.clock.now();
    await raiseTops(
      em,
      new Map(
        bundles.map(({ group, context, sends }) => [group.conversation_id, context.top + sends.length]),
      ),
    );
    const ids = await allotIds(
      em,
      bundles.flatMap(({ sends }) => sends.map(placeOf)),
    );
    const written = new Map<Bundle, Written[]>();
    for (const bundle of bundles)
      written.set(bundle, writtenOf(bundle, ids.splice(0, bundle.sends.length), now));
    await insertMessages(
      em,
      [...written.values()].flatMap((own) => own.map(({ message }) => message)),
    );
    await moveToTop(em, bundles.map(movedOf), now);
    await recordMentions(
      em,
      [...written.values()].flatMap((own) => own.map(({ message }) => message)),
    );
    await recordReadsOf(em, bundles, now);
    countSent(em, bundles);
    for (const [{ context, group, sends }, own] of written) {
      const sent = own.map(({ sender, message, original }, index): SentMessage => {
        const asSent = this.views.describeNew(sender, message, original);
        const send = sends[index] as Bundle['sends'][number];
        noteSent(em, send.send, message);
        answers.set(send.send, asSent);
        const previousId = own[index - 1]?.message.id ?? context.topId;
        return { sender, asSent, read: advanceOf(send, previousId, now) };
      });
      this.events.sent(em, sent, context.members);
      const hiding = context.members.filter(({ hidden }) => hidden).map(({ user_id }) => user_id);
      if (!group.pulled) await this.events.unhidden(em, group.conversation_id, hiding);
    }
    return answers;
  }
}

/** What was said is the people's own: of a message that a key sends the audit log has where and what kind it is. */
function noteSent(em: EntityManager, { audit }: MessageSend, message: NewMessage): void {
  const { id, conversation_id, type: message_type } = message;
  noteAuditOf(em, audit, { object_id: id, before: null, after: { conversation_id, message_type } });
}

/** The sends by their conversations, numbered. */
function bundlesOf(
  sends: readonly MessageSend[],
  contexts: ReadonlyMap<number, SendContext>,
  prepared: ReadonlyMap<MessageSend, PreparedSend | BusinessError>,
): Bundle[] {
  const bundles: Bundle[] = [];
  for (const [id, own] of Map.groupBy(sends, ({ conversationId }) => conversationId)) {
    const context = contexts.get(id);
    const [group] = context?.senders.values() ?? [];
    if (context === undefined || group === undefined) continue;
    const numbered = numberSends(context.top, context.members, own);
    const withSender = numbered.map((one) => {
      const sender = { ...(context.senders.get(one.send.userId) ?? group), max_seq: one.seq };
      return { ...one, sender, prepared: prepared.get(one.send) as PreparedSend };
    });
    bundles.push({ context, group, sends: withSender });
  }
  return bundles;
}

const placeOf = ({ sender: { conversation_id }, seq }: Bundle['sends'][number]) => ({ conversation_id, seq });

const movedOf = ({ group: { conversation_id, pulled }, sends }: Bundle) => ({
  conversation_id,
  pulled,
  positions: new Map(sends.map(({ send, seq }) => [send.userId, seq])),
});

const writtenOf = ({ sends }: Bundle, ids: MessageId[], created_at: Date): Written[] =>
  sends.map(({ send, sender, prepared }, index) => {
    const message = newMessage(sender, send, prepared, { id: ids[index] as MessageId, created_at });
    return { sender, message, original: prepared.original };
  });

/** The message that takes the number `max_seq`. */
function newMessage(
  { conversation_id, max_seq, user_id, name, avatar }: Sender,
  { body }: MessageSend,
  { original, ...said }: PreparedSend,
  rest: Pick<NewMessage, 'id' | 'created_at'>,
): NewMessage {
  return {
    ...rest,
    ...said,
    conversation_id,
    seq: max_seq,
    sender_id: user_id,
    sender_name: name,
    sender_avatar: avatar,
    is_recalled: false,
    reply_seq: original?.seq ?? null,
    edited_at: null,
    has_reactions: false,
    notice: null,
    client_msg_id: body.client_msg_id ?? null,
    content_hash: body.client_msg_id === undefined ? null : contentHash(body),
  };
}

/** What the sender has read by sending; undefined where nothing was left to read. */
function advanceOf(
  { sender, read }: Bundle['sends'][number],
  up_to_message_id: MessageId | null,
  read_at: Date,
): SentMessage['read'] {
  return read.from <= read.to
    ? { membership: sender, up_to_message_id, unread_count: 0, mention_id: null, read_at }
    : undefined;
}

/** Everybody has more to read who does not send, and nobody hides the conversations any longer. */
function countSent(em: EntityManager, bundles: readonly Bundle[]): void {
  const changes = bundles
    .filter(({ group }) => !group.pulled)
    .flatMap(({ context, group: { type }, sends }) => {
      const senders = sends.map(({ send }) => send.userId);
      return context.members.map((member) => {
        const after = { ...member, unread_count: unreadAfter(member, senders), hidden: 0, pulled: 0 };
        return changeOf({ ...member, type }, shareOf({ ...member, pulled: 0 }), shareOf(after));
      });
    });
  changeCounts(em, changes);
}

/** What a sender had not read yet is read now; the message itself is nobody's to read but the others'. */
async function recordReadsOf(em: EntityManager, bundles: readonly Bundle[], read_at: Date): Promise<void> {
  const readsOf = ({ sends }: Bundle) =>
    sends
      .filter(({ read }) => read.from <= read.to)
      .map(({ sender: { conversation_id, user_id }, read }) => {
        return { conversation_id, user_id, range: read, read_at };
      });
  const all = bundles.flatMap(readsOf);
  if (all.length === 0) return;
  await recordReads(em, all);
  for (const bundle of bundles) {
    const reads = readsOf(bundle);
    if (bundle.group.type === 'group' && reads.length > 0) await recordFirstReads(em, bundle.group, reads);
  }
}
