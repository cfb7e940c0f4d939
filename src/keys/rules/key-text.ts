import { createHash, randomBytes, randomInt } from 'node:crypto';
import { KEY_PREFIX } from '../../common/auth/api-keys/api-key';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const PREFIX_LENGTH = 8;
const SECRET_BYTES = 32;
const SHAPE = new RegExp(`^${KEY_PREFIX}[a-z0-9]{${PREFIX_LENGTH}}_[A-Za-z0-9_-]{43}$`);

/** A new key: what its owner keeps, and the part of it by which people recognise it. */
export function newKey(): { text: string; prefix: string } {
  const prefix = Array.from({ length: PREFIX_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { text: `${KEY_PREFIX}${prefix}_${secret}`, prefix };
}

/** Whether a text could be a key at all. */
export const isShapedLikeKey = (text: string): boolean => SHAPE.test(text);

/** The form in which a key is stored; 256 random bits need no salt and no slow hash. */
export const hashOfKey = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** How a key is shown once its text is gone. */
export const shownPrefix = (prefix: string): string => KEY_PREFIX + prefix;
