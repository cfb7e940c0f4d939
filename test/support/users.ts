import { Authenticator } from '../../src/common/auth/principal';
import { readOwnClaims } from '../../src/common/auth/token-claims';
import { type ApiClient, claimsOf, type Person } from './api-client';
import { FAR_FUTURE } from './tokens';

/** Returns the client of an existing user, as if a first request had created the account (API 2.3). */
export async function testUser(api: ApiClient, person: Person): Promise<ApiClient> {
  const claims = readOwnClaims({ ...claimsOf(person), exp: FAR_FUTURE });
  if (claims === undefined) throw new Error('no user id');
  await api.app.get(Authenticator).authenticate(claims);
  return api.as(person);
}
