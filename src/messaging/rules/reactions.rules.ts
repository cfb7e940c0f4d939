/* Reactions to a message: validation of emojis, and how a reaction changes the counts (API 8.9). Pure. */

/** Maximum number of different emojis on a message. */
export const MAX_EMOJIS = 20;
const MAX_CODE_POINTS = 16;

const GRAPHEMES = new Intl.Segmenter('und', { granularity: 'grapheme' });
/**
 * Matches a pictograph, a flag of two letters, or a digit, # or * in a keycap; neither single letters of flags nor skin
 * tones.
 */
const EMOJI_PATTERN = /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[0-9#*]\uFE0F?\u20E3/u;

/** Whether a text is one emoji: one grapheme of at most 16 code points. */
export function isEmoji(text: string): boolean {
  // Cheap checks first, so that long texts are not segmented.
  if (text.length > 2 * MAX_CODE_POINTS || !text.isWellFormed() || !EMOJI_PATTERN.test(text)) return false;
  if (Array.from(text).length > MAX_CODE_POINTS) return false;
  const [first] = GRAPHEMES.segment(text);
  return first?.segment === text;
}

/**
 * Returns the key by which emojis are compared: without U+FE0F, which selects the drawing style and which keyboards
 * send or omit.
 */
export const emojiKey = (emoji: string): string => emoji.replaceAll('\uFE0F', '');

/** The reactions to a message with one emoji. */
export interface ReactionTally {
  emoji_key: string;
  /** The emoji as it was first used. */
  emoji: string;
  count: number;
  /** Position in the order of first use. */
  n: number;
  /** Whether the requesting user is among them. */
  reacted: boolean;
}

/** The result of a reaction: all reactions to the message after it, and the one that has changed. */
export interface ReactionChange {
  tallies: ReactionTally[];
  changed: ReactionTally;
}

/**
 * Returns the reactions to a message after the user reacts with an emoji, or removes the reaction.
 * @param tallies in the order of first use
 * @returns `unchanged` if the reaction is in this state already, `full` if it would exceed `MAX_EMOJIS`
 */
export function withReaction(
  tallies: readonly ReactionTally[],
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
