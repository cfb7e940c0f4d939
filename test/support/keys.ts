import type { Scope } from '../../src/common/auth/api-keys/scopes';
import type { Answer, ApiClient } from './api-client';

/** An administrator of the tests. */
const BOSS = { id: 900_001, role: 'admin' } as const;

export interface MadeKey {
  id: number;
  /** Its text. */
  key: string;
}

/** Asks for a key as an administrator does. */
export const postKey = async (api: ApiClient, body: Record<string, unknown>): Promise<Answer> =>
  (await api.as(BOSS)).post('/api/admin/keys', body);

/** Makes a key with these scopes. */
export async function makeKey(
  api: ApiClient,
  scopes: readonly Scope[],
  more: Record<string, unknown> = {},
): Promise<MadeKey> {
  const answer = await postKey(api, { name: 'Back end', scopes, ...more });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.data as MadeKey;
}

/** A client with a key that has these scopes. */
export async function clientWithKey(
  api: ApiClient,
  scopes: readonly Scope[],
  more: Record<string, unknown> = {},
): Promise<ApiClient> {
  return api.withToken((await makeKey(api, scopes, more)).key);
}
