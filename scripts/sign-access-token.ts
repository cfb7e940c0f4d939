import { createSecretKey } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Config } from '../src/config/config';

/** Whom a token is for. */
export interface TokenSubject {
  id: number;
  name?: string;
  role: 'user' | 'admin';
}

/**
 * An access token as an identity provider would sign it (contract 1.6), with the service's own secret.
 * @throws {Error} when the service is configured without a secret
 */
export async function signAccessToken(
  { auth }: Config,
  { id, name, role }: TokenSubject,
  ttlSeconds = auth.accessTokenTtlSeconds,
): Promise<string> {
  if (auth.secret === undefined)
    throw new Error('Tokens are signed elsewhere: there is no JWT_SECRET to sign with');
  let token = new SignJWT({ role, ...(name !== undefined && { name }) })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(String(id))
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + ttlSeconds);
  if (auth.issuer !== undefined) token = token.setIssuer(auth.issuer);
  if (auth.audience !== undefined) token = token.setAudience(auth.audience);
  return token.sign(createSecretKey(Buffer.from(auth.secret, 'utf8')));
}
