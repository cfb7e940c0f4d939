import { createSecretKey } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Config } from '../src/config/config';

/** The user of a token. */
export interface TokenSubject {
  id: number;
  name?: string;
  role: 'user' | 'admin';
}

/**
 * Signs an access token as an identity provider would (API 2.1), with the service's secret.
 * @throws {Error} if the service has no secret configured
 */
export async function signAccessToken(
  { auth }: Config,
  { id, name, role }: TokenSubject,
  ttlSeconds = auth.accessTokenTtlSeconds,
): Promise<string> {
  if (auth.secret === undefined) throw new Error('Cannot sign tokens: JWT_SECRET is not set');
  let token = new SignJWT({ role, ...(name !== undefined && { name }) })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(String(id))
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + ttlSeconds);
  if (auth.issuer !== undefined) token = token.setIssuer(auth.issuer);
  if (auth.audience !== undefined) token = token.setAudience(auth.audience);
  return token.sign(createSecretKey(Buffer.from(auth.secret, 'utf8')));
}
