import type { Scope } from '../../src/common/auth/api-keys/scopes';
import type { Answer, ApiClient } from './api-client';

/** The tests' administrator. */
const BOSS = { id: 900_001, role: 'admin' } as const;

export interface MadeKey {
  id: number;
  /** The text of the API key. */
  key: string;
}

/** Requests a new API key as an administrator. */
export const postKey = async (api: ApiClient, body: Record<string, unknown>): Promise<Answer> =>
  (await api.as(BOSS)).post('/api/admin/keys', body);

/** Creates an API key with these scopes. */
export async function makeKey(
  api: ApiClient,
  scopes: readonly Scope[],
  more: Record<string, unknown> = {},
): Promise<MadeKey> {
  const answer = await postKey(api, { name: 'Back end', scopes, ...more });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.data as MadeKey;
}

/** Returns a client with an API key that has these scopes. */
export async function clientWithKey(
  api: ApiClient,
  scopes: readonly Scope[],
  more: Record<string, unknown> = {},
): Promise<ApiClient> {
  return api.withToken((await makeKey(api, scopes, more)).key);
}
