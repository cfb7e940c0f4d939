import { createSecretKey } from 'node:crypto';
import { SignJWT } from 'jose';

export const TEST_SECRET = 'a-secret-of-the-tests-with-32-bytes-or-more';

/** A time in seconds since 1970 that no test reaches. */
export const FAR_FUTURE = 4_102_444_800;

/** Signs an access token as an identity provider would. `claims` overrides any claim, or removes it (undefined). */
export async function signToken(claims: Record<string, unknown>, secret = TEST_SECRET): Promise<string> {
  const payload = { exp: FAR_FUTURE, ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(createSecretKey(Buffer.from(secret)));
}
