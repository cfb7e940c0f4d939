import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FileQuery } from '../dto/file.dto';

/**
 * Which bytes of an attachment a URL returns: the file, its thumbnail, or the picture of a user or a group that is made
 * of it.
 */
export type Variant = 'file' | 'thumbnail' | 'avatar';

/** A URL of a file, as it is signed. */
export interface SignedFile {
  /** Last segment of the path, such as `12.jpg`. */
  file: string;
  variant: Variant;
  /** Expiry in seconds since 1970; null: never, for avatars only. */
  expires: number | null;
}

/**
 * Returns the expiry of URLs that are made now, in seconds since 1970. It is a multiple of `window`, so a URL stays the
 * same for `window` seconds and browsers cache the file; it is valid for once to twice that.
 */
export const expiryOf = (now: Date, window: number): number =>
  (Math.floor(now.getTime() / 1000 / window) + 2) * window;

/** Returns path and query of the URL of a file: HMAC-SHA256 over file, variant and expiry. */
export function signedPath(signed: SignedFile, secret: string): string {
  const { file, variant, expires } = signed;
  const shownVariant = variant === 'file' ? '' : `variant=${variant}&`;
  const shownExpiry = expires === null ? '' : `expires=${expires}&`;
  return `/files/${file}?${shownVariant}${shownExpiry}signature=${signatureOf(signed, secret)}`;
}

/**
 * Returns what a URL refers to.
 * @returns undefined if the signature is wrong or the URL has expired
 */
export function verified(
  file: string,
  { expires, variant = 'file', signature }: FileQuery,
  { secret, now }: { secret: string; now: Date },
): SignedFile | undefined {
  if (variant !== 'file' && variant !== 'thumbnail' && variant !== 'avatar') return undefined;
  const hasExpiry = expires !== undefined && /^\d{1,12}$/.test(expires);
  if (variant === 'avatar' ? expires !== undefined : !hasExpiry) return undefined;
  if (signature === undefined) return undefined;
  const signed: SignedFile = { file, variant, expires: hasExpiry ? Number(expires) : null };
  const expected = Buffer.from(signatureOf(signed, secret));
  const given = Buffer.from(signature);
  const isGenuine = given.length === expected.length && timingSafeEqual(given, expected);
  const isOver = signed.expires !== null && now.getTime() >= signed.expires * 1000;
  return isGenuine && !isOver ? signed : undefined;
}

const signatureOf = ({ file, variant, expires }: SignedFile, secret: string): string =>
  createHmac('sha256', secret).update(`${file}\n${variant}\n${expires}`).digest('base64url');

/** Whether the URL of a picture is probably one of this service; a table decides. */
export const isAvatarUrl = (url: string | null | undefined): boolean =>
  url?.includes('?variant=avatar&') === true;
