import { createHash, randomBytes } from 'node:crypto';

const BYTES = 32;

/** A new refresh token: 256 random bits. */
export const newRefreshToken = (): string => randomBytes(BYTES).toString('base64url');

/** The form in which a refresh token is stored; random bits need no salt and no slow hash. */
export const hashOf = (refreshToken: string): string =>
  createHash('sha256').update(refreshToken).digest('base64url');
