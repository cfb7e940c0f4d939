/* The mentions of a message, and how they are stored (API 8.5). Pure. */

/** The id that stands for everybody in stored mentions. */
export const EVERYBODY = 0;

/**
 * Maximum number of members of a group in which every member may mention everybody; in a larger group only the owner
 * may.
 */
export const MENTION_ALL_LIMIT = 200;

/** Maximum number of users that a message may mention by name. */
export const MAX_MENTIONS = 50;

/**
 * The mentions of a message: users by name, in the order in which the sender named them, and whether everybody is
 * mentioned.
 */
export interface Mentions {
  mentions: number[];
  mention_all: boolean;
}

export const NO_MENTIONS: Mentions = { mentions: [], mention_all: false };

/** Returns the mentions as stored in a message's row; null when there are none. */
export function storedMentions({ mentions, mention_all }: Mentions): string | null {
  const ids = idsOf({ mentions, mention_all });
  return ids.length === 0 ? null : JSON.stringify(ids);
}

/** Parses stored mentions. */
export function mentionsIn(stored: string | null): Mentions {
  if (stored === null) return NO_MENTIONS;
  const ids = JSON.parse(stored) as number[];
  return { mentions: ids.filter((id) => id !== EVERYBODY), mention_all: ids.includes(EVERYBODY) };
}

/** Returns the ids of the mentioned users, with `EVERYBODY` first if everybody is mentioned. */
export const idsOf = ({ mentions, mention_all }: Mentions): number[] =>
  mention_all ? [EVERYBODY, ...mentions] : mentions;

/** Whether a message mentions a user. A message never mentions its own sender. */
export const doesMention = (
  { sender_id, mentions, mention_all }: Mentions & { sender_id: number },
  userId: number,
): boolean => userId !== sender_id && (mention_all || mentions.includes(userId));

/** Returns the named users who are members, without the sender and without duplicates. */
export const keptMentions = (
  named: readonly number[],
  senderId: number,
  isMember: (userId: number) => boolean,
): number[] => [...new Set(named)].filter((id) => id !== senderId && isMember(id));

/** Whether a member may mention everybody in a group. */
export const mayMentionAll = ({ member_count, role }: { member_count: number; role: string }): boolean =>
  member_count <= MENTION_ALL_LIMIT || role === 'owner';
