import { hashOfKey, isShapedLikeKey, newKey, shownPrefix } from './key-text.rules';

const KEY = 'cbk_ab12cd34_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';

describe('The text of an API key', () => {
  it('consists of cbk_, eight letters or digits, and 32 random bytes', () => {
    const keys = Array.from({ length: 200 }, newKey);
    for (const { text, prefix } of keys) {
      expect(text).toMatch(/^cbk_[a-z0-9]{8}_[A-Za-z0-9_-]{43}$/);
      expect(shownPrefix(prefix)).toBe(text.slice(0, 12));
      expect(Buffer.from(text.slice(13), 'base64url')).toHaveLength(32);
    }
    expect(new Set(keys.map(({ text }) => text.slice(13))).size).toBe(200);
    expect(new Set(keys.map(({ prefix }) => prefix)).size).toBe(200);
  });

  it('is distinguished from other texts by its format', () => {
    expect(isShapedLikeKey(KEY)).toBe(true);
    for (const text of [
      '',
      'cbk_',
      KEY.slice(0, -1),
      `${KEY}A`,
      KEY.replace('ab12', 'AB12'),
      KEY.replace('_AA', '-AA'),
      KEY.replace('cbk', 'sk'),
      `${KEY}\n`,
      KEY.replace('h8', 'h='),
    ])
      expect(isShapedLikeKey(text)).toBe(false);
  });

  it('is stored as SHA-256 of the whole text', () => {
    // printf %s KEY | openssl dgst -sha256 -binary | basenc --base64url
    expect(hashOfKey(KEY)).toBe('vfgEavnL0eF4NOrGFZ5KhZcj6gsa71BXV2bc-AVostY');
  });
});
