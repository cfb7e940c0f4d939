import type { EntityManager } from 'typeorm';
import type { Words } from '../../common/words/words';
import type { MessageResponse } from '../dto/message.dto';
import type { ReactionResponse } from '../dto/message-marks.dto';
import { rangeOver, type SeqRange } from '../rules/history-range';
import type { Tally } from '../rules/reactions';
import type { Membership } from '../store/membership';
import type { Message } from '../store/message.queries';
import { deletedIn } from '../store/marks/deletion-rows';
import { reactionsIn } from '../store/marks/reaction-rows';

/** What members have put beside a message, as one of them sees it. */
export interface Marks {
  reactions: ReactionResponse[];
  /** By the viewer, for oneself. */
  is_deleted: boolean;
}

export const NO_MARKS: Marks = { reactions: [], is_deleted: false };

/** Reactions as they are shown. */
export const toReactions = (tallies: readonly Tally[]): ReactionResponse[] =>
  tallies.map(({ emoji, count, reacted }) => ({ emoji, count, reacted }));

const spanOf = (some: readonly Message[]): SeqRange =>
  rangeOver(some.map(({ seq }) => ({ from: seq, to: seq })));

/**
 * The marks of some messages. A page asks for reactions only where a message has any, and for deletions only where the
 * viewer has deleted that far: one range each.
 */
export async function marksOf(
  em: EntityManager,
  viewer: Membership,
  messages: readonly Message[],
): Promise<(message: Message) => Marks> {
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
 * A message as somebody sees it who has deleted it: its place, and nothing of what it held. Edits are not told to who has
 * deleted it, so nothing of them shows either.
 */
export function asDeleted<Seen extends { [Field in keyof MessageResponse]: MessageResponse[Field] }>(
  message: Seen,
  words: Words,
): Seen {
  const display_content = words.texts.消息已删除;
  const nothing = {
    content: '',
    extra: null,
    reply_to: null,
    edited_at: null,
    reactions: [],
    display_content,
  };
  return { ...message, ...nothing, is_deleted: true };
}
