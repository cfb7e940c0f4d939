import type { EntityManager } from 'typeorm';
import type { MessageCatalogue } from '../../common/i18n/catalogue';
import type { MessageResponse } from '../dto/message.dto';
import type { ReactionResponse } from '../dto/message-marks.dto';
import { rangeOver, type SeqRange } from '../rules/history-range.rules';
import type { ReactionTally } from '../rules/reactions.rules';
import type { Membership } from '../store/membership.store';
import type { MessageRow } from '../store/message.store';
import { deletedIn } from '../store/deletion.store';
import { reactionsIn } from '../store/reaction.store';

/** Reactions to a message, and its deletion, as one member sees them. */
export interface Marks {
  reactions: ReactionResponse[];
  /** Whether the viewer has deleted it in their own view. */
  is_deleted: boolean;
}

export const NO_MARKS: Marks = { reactions: [], is_deleted: false };

/** Converts stored reactions for a response. */
export const toReactions = (tallies: readonly ReactionTally[]): ReactionResponse[] =>
  tallies.map(({ emoji, count, reacted }) => ({ emoji, count, reacted }));

/** Returns the range from the first to the last of these messages. */
export const spanOf = (messages: readonly MessageRow[]): SeqRange =>
  rangeOver(messages.map(({ seq }) => ({ from: seq, to: seq })));

/**
 * Loads the reactions and deletions of messages, as one range each. Reads reactions only if a message has any, and
 * deletions only if the viewer has deleted a message in the range or after it.
 */
export async function marksOf(
  em: EntityManager,
  viewer: Membership,
  messages: readonly MessageRow[],
): Promise<(message: MessageRow) => Marks> {
  const deleted = await deletedIn(em, viewer, spanOf(messages));
  const shown = messages.filter(({ seq, has_reactions }) => has_reactions && !deleted.has(seq));
  const reactions = shown.length === 0 ? undefined : await reactionsIn(em, viewer, spanOf(shown));
  return ({ seq }) => {
    if (deleted.has(seq)) return { reactions: [], is_deleted: true };
    const tallies = reactions?.get(seq);
    return tallies === undefined ? NO_MARKS : { reactions: toReactions(tallies), is_deleted: false };
  };
}

/**
 * Returns a message as a member who has deleted it sees it: a placeholder without its content. Members who have deleted
 * a message receive no events of its edits, so `edited_at` is null too.
 */
export function asDeleted<View extends { [Field in keyof MessageResponse]: MessageResponse[Field] }>(
  message: View,
  catalogue: MessageCatalogue,
): View {
  return {
    ...message,
    content: '',
    extra: null,
    attachments: [],
    reply_to: null,
    edited_at: null,
    reactions: [],
    display_content: catalogue.messages.messageDeleted,
    is_deleted: true,
  };
}
