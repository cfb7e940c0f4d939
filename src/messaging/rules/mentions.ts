/* Whom a message mentions, and how that is kept (contract 16.3). Pure. */

/** Stands for everybody where the mentioned are kept by their ids. */
export const EVERYBODY = 0;

/** Up to so many members anyone may mention everybody; in a larger group its owner may. */
export const MENTION_ALL_LIMIT = 200;

/** So many a message may mention by name. */
export const MAX_MENTIONS = 50;

/** Whom a message mentions: some by name, in the order in which they were named, and perhaps everybody. */
export interface Mentions {
  mentions: number[];
  mention_all: boolean;
}

export const NO_MENTIONS: Mentions = { mentions: [], mention_all: false };

/** The mentions as a message's row keeps them; null: nobody is mentioned. */
export function storedMentions({ mentions, mention_all }: Mentions): string | null {
  const ids = idsOf({ mentions, mention_all });
  return ids.length === 0 ? null : JSON.stringify(ids);
}

/** The mentions that a row keeps. */
export function mentionsIn(stored: string | null): Mentions {
  if (stored === null) return NO_MENTIONS;
  const ids = JSON.parse(stored) as number[];
  return { mentions: ids.filter((id) => id !== EVERYBODY), mention_all: ids.includes(EVERYBODY) };
}

/** The users who are mentioned, with `EVERYBODY` among them. */
export const idsOf = ({ mentions, mention_all }: Mentions): number[] =>
  mention_all ? [EVERYBODY, ...mentions] : mentions;

/** Whether a message mentions a user; its own sender it never does. */
export const doesMention = (
  { sender_id, mentions, mention_all }: Mentions & { sender_id: number },
  userId: number,
): boolean => userId !== sender_id && (mention_all || mentions.includes(userId));

/** Of those whom a sender names: the members, without the sender, each once. */
export const keptMentions = (
  named: readonly number[],
  senderId: number,
  isMember: (userId: number) => boolean,
): number[] => [...new Set(named)].filter((id) => id !== senderId && isMember(id));

/** Who may mention everybody in a group. */
export const mayMentionAll = ({ member_count, role }: { member_count: number; role: string }): boolean =>
  member_count <= MENTION_ALL_LIMIT || role === 'owner';
