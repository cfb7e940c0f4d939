/*
 * Reactions to a message: what may be one, and what becomes of those that are there (contract 16.3). Pure.
 */

/** Different ones that a message may have. */
export const MAX_EMOJIS = 20;
const MAX_CODE_POINTS = 16;

const GRAPHEMES = new Intl.Segmenter('und', { granularity: 'grapheme' });
/** A pictograph; a flag of two letters; a digit, # or * in a key. Lone letters of flags and skin tones are none. */
const SHOWN = /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[0-9#*]\uFE0F?\u20E3/u;

/** Whether a text is one emoji: one grapheme of at most 16 code points. */
export function isEmoji(text: string): boolean {
  // Cheap bounds first: what is longer need not be taken apart.
  if (text.length > 2 * MAX_CODE_POINTS || !text.isWellFormed() || !SHOWN.test(text)) return false;
  if (Array.from(text).length > MAX_CODE_POINTS) return false;
  const [first] = GRAPHEMES.segment(text);
  return first?.segment === text;
}

/** By what emojis are compared: without the selector of how one is drawn, which keyboards send or leave out. */
export const emojiKey = (emoji: string): string => emoji.replaceAll('\uFE0F', '');

/** The reactions to a message with one emoji. */
export interface Tally {
  emoji_key: string;
  /** As it was first used. */
  emoji: string;
  count: number;
  /** The order of first use. */
  n: number;
  /** Whether the user who asks is among them. */
  reacted: boolean;
}

/** What an act makes of a message's reactions: all of them as they are then, and the one that has changed. */
export interface ReactionChange {
  tallies: Tally[];
  changed: Tally;
}

/**
 * The reactions to a message after its user reacts with an emoji, or takes that back.
 * @param tallies in the order of first use
 * @returns `unchanged` where it is so already, `full` where it would be one emoji too many
 */
export function withReaction(
  tallies: readonly Tally[],
  emoji: string,
  reacted: boolean,
): ReactionChange | 'unchanged' | 'full' {
  const emoji_key = emojiKey(emoji);
  const before = tallies.find((tally) => tally.emoji_key === emoji_key);
  if ((before?.reacted ?? false) === reacted) return 'unchanged';
  if (before === undefined) {
    if (tallies.length >= MAX_EMOJIS) return 'full';
    const changed = { emoji_key, emoji, count: 1, n: (tallies.at(-1)?.n ?? 0) + 1, reacted };
    return { tallies: [...tallies, changed], changed };
  }
  const changed = { ...before, count: before.count + (reacted ? 1 : -1), reacted };
  const after = tallies.map((tally) => (tally === before ? changed : tally));
  return { tallies: after.filter(({ count }) => count > 0), changed };
}
