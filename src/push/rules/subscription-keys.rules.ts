import { ECDH } from 'node:crypto';

/* Keys of Web Push subscriptions, in base64url with or without padding (RFC 8291). */

const AUTH_BYTES = 16;
const POINT_BYTES = 65;

const isBase64Url = (text: string): boolean => /^[\w-]+=*$/.test(text);

/** Whether a text is an uncompressed point of the curve P-256. */
export function isPublicKey(text: string): boolean {
  const point = Buffer.from(text, 'base64url');
  if (!isBase64Url(text) || point.length !== POINT_BYTES || point[0] !== 4) return false;
  try {
    ECDH.convertKey(point, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

/** Whether a text is an authentication secret of 16 bytes. */
export const isAuthSecret = (text: string): boolean =>
  isBase64Url(text) && Buffer.from(text, 'base64url').length === AUTH_BYTES;
