import { emojiKey, isEmoji, MAX_EMOJIS, type ReactionTally, withReaction } from './reactions.rules';

describe('An emoji', () => {
  it.each([
    ['a pictograph', '👍'],
    ['one with text presentation by default', '❤'],
    ['one with the selector', '❤️'],
    ['one with a skin tone', '👍🏽'],
    ['a family of four', '👨‍👩‍👧‍👦'],
    ['a couple with skin tones', '👩🏻‍❤️‍💋‍👨🏿'],
    ['a flag', '🇨🇳'],
    ['the flag of a part of a country', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['the rainbow flag', '🏳️‍🌈'],
    ['a keycap', '1️⃣'],
    ['a keycap without the selector', '#⃣'],
    ['a sign', '©'],
  ])('is %s', (_, text) => {
    expect(isEmoji(text)).toBe(true);
  });

  it.each([
    ['a letter', 'a'],
    ['a digit', '1'],
    ['an ideograph', '好'],
    ['two pictographs', '👍👍'],
    ['a pictograph and a letter', '👍a'],
    ['a pictograph and a space', '👍 '],
    ['a lone regional indicator', '🇨'],
    ['three regional indicators', '🇨🇳🇨'],
    ['a lone skin tone', '🏽'],
    ['a lone selector', '\uFE0F'],
    ['a lone joiner', '\u200D'],
    ['a lone key', '\u20E3'],
    ['an empty string', ''],
    ['half a surrogate pair', '\uD83D'],
    ['a pictograph and half a surrogate pair', '👍\uD83D'],
    ['NUL', '\0'],
    ['a pictograph with NUL', '👍\0'],
    ['17 code points', `👍${'\u0301'.repeat(16)}`],
    ['a million pictographs', '👍'.repeat(1_000_000)],
  ])('is not %s', (_, text) => {
    expect(isEmoji(text)).toBe(false);
  });

  it('may have 16 code points', () => {
    expect(isEmoji(`👍${'\u0301'.repeat(15)}`)).toBe(true);
  });

  it('is compared without the selector', () => {
    expect(emojiKey('❤️')).toBe(emojiKey('❤'));
    expect(emojiKey('1️⃣')).toBe('1⃣');
    expect(emojiKey('👍🏽')).not.toBe(emojiKey('👍'));
  });
});

describe('withReaction', () => {
  const thumbs: ReactionTally = { emoji_key: '👍', emoji: '👍', count: 2, n: 1, reacted: false };
  const heart: ReactionTally = { emoji_key: '❤', emoji: '❤️', count: 1, n: 4, reacted: true };

  it('appends a new emoji as it was sent', () => {
    const changed = { emoji_key: '☀', emoji: '☀️', count: 1, n: 5, reacted: true };
    expect(withReaction([thumbs, heart], '☀️', true)).toEqual({
      tallies: [thumbs, heart, changed],
      changed,
    });
    expect(withReaction([], '👍', true)).toMatchObject({ changed: { n: 1, count: 1 } });
  });

  it('counts an existing emoji and keeps its presentation', () => {
    const changed = { ...thumbs, count: 3, reacted: true };
    expect(withReaction([thumbs, heart], '👍\uFE0F', true)).toEqual({ tallies: [changed, heart], changed });
  });

  it('removes an emoji with its last reaction', () => {
    const changed = { ...heart, count: 0, reacted: false };
    expect(withReaction([thumbs, heart], '❤', false)).toEqual({ tallies: [thumbs], changed });
  });

  it('returns "unchanged" when nothing changes', () => {
    expect(withReaction([heart], '❤', true)).toBe('unchanged');
    expect(withReaction([thumbs], '👍', false)).toBe('unchanged');
    expect(withReaction([], '👍', false)).toBe('unchanged');
  });

  it('accepts at most 20 different emojis', () => {
    const many = Array.from({ length: MAX_EMOJIS }, (_, index): ReactionTally => {
      const emoji = String.fromCodePoint(0x1f600 + index);
      return { emoji_key: emoji, emoji, count: 1, n: index + 1, reacted: false };
    });
    expect(many).toHaveLength(20);
    expect(withReaction(many, '👍', true)).toBe('full');
    expect(withReaction(many, '👍', false)).toBe('unchanged');
    expect(withReaction(many, '\u{1F600}', true)).toMatchObject({ changed: { count: 2 } });
    expect(withReaction(many.slice(1), '👍', true)).toMatchObject({ changed: { n: 21 } });
  });
});
