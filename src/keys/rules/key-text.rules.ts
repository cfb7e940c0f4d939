import { createHash, randomBytes, randomInt } from 'node:crypto';
import { KEY_PREFIX } from '../../common/auth/api-keys/api-key';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const PREFIX_LENGTH = 8;
const SECRET_BYTES = 32;
const SHAPE = new RegExp(`^${KEY_PREFIX}[a-z0-9]{${PREFIX_LENGTH}}_[A-Za-z0-9_-]{43}$`);

/** Returns a new key: its full text, and the prefix by which people recognise it. */
export function newKey(): { text: string; prefix: string } {
  const prefix = Array.from({ length: PREFIX_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { text: `${KEY_PREFIX}${prefix}_${secret}`, prefix };
}

/** Whether a text has the format of a key. */
export const isShapedLikeKey = (text: string): boolean => SHAPE.test(text);

/** Returns the stored form of a key. 256 random bits need no salt and no slow hash. */
export const hashOfKey = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Returns the prefix that is shown after the full key was shown once. */
export const shownPrefix = (prefix: string): string => KEY_PREFIX + prefix;
