import type { ApiResponse, ApiClient } from './api-client';

export const PASSWORD = 'correct horse';

/** Response of a log-in or a refresh. */
export interface Tokens {
  access_token: string;
  refresh_token: string;
  /** The session id, which serves as the terminal id. */
  terminal_id: string;
}

/** Creates a user as an administrator and returns the id. */
export async function createUser(
  admin: ApiClient,
  account: string,
  more: Record<string, unknown> = {},
): Promise<number> {
  const body = { account, password: PASSWORD, name: account, ...more };
  const response = await admin.post('/api/admin/users', body);
  if (response.status !== 200) throw new Error(response.text);
  return response.body.data.id as number;
}

export const login = (api: ApiClient, account: string, password = PASSWORD): Promise<ApiResponse> =>
  api.post('/api/auth/login', { account, password });

/** Logs in and asserts success. */
export async function signIn(api: ApiClient, account: string, password = PASSWORD): Promise<Tokens> {
  const response = await login(api, account, password);
  if (response.status !== 200) throw new Error(response.text);
  return response.body.data as Tokens;
}

export const refresh = (api: ApiClient, { refresh_token }: { refresh_token: string }): Promise<ApiResponse> =>
  api.post('/api/auth/refresh', { refresh_token });
