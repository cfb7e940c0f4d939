import type { Scope } from '../../src/common/auth/api-keys/scopes';
import type { ApiResponse, ApiClient } from './api-client';

/** The tests' administrator. */
const ADMIN = { id: 900_001, role: 'admin' } as const;

export interface CreatedKey {
  id: number;
  /** The text of the API key. */
  key: string;
}

/** Requests a new API key as an administrator. */
export const postKey = async (api: ApiClient, body: Record<string, unknown>): Promise<ApiResponse> =>
  (await api.as(ADMIN)).post('/api/admin/keys', body);

/** Creates an API key with these scopes. */
export async function makeKey(
  api: ApiClient,
  scopes: readonly Scope[],
  more: Record<string, unknown> = {},
): Promise<CreatedKey> {
  const response = await postKey(api, { name: 'Back end', scopes, ...more });
  if (response.status !== 200) throw new Error(response.text);
  return response.body.data as CreatedKey;
}

/** Returns a client with an API key that has these scopes. */
export async function clientWithKey(
  api: ApiClient,
  scopes: readonly Scope[],
  more: Record<string, unknown> = {},
): Promise<ApiClient> {
  return api.withToken((await makeKey(api, scopes, more)).key);
}
