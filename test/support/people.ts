import type { ApiResponse, ApiClient } from './api-client';
import { dataOf } from './messaging';

/* Helpers for tests about users: search, blocks, presence. */

export interface Person {
  id: number;
  name: string;
  avatar: string | null;
}

export interface PresenceItem {
  user_id: number;
  online: boolean;
  last_seen_at: string | null;
}

/** Returns the ids of the users that a keyword finds. */
export async function found(asker: ApiClient, keyword: string, limit = 50): Promise<number[]> {
  const response = await asker.get(`/api/users?keyword=${encodeURIComponent(keyword)}&limit=${limit}`);
  return dataOf(response).items.map(({ id }: Person) => id);
}

export const block = (who: ApiClient, id: number): Promise<ApiResponse> => who.put(`/api/users/${id}/block`);
export const unblock = (who: ApiClient, id: number): Promise<ApiResponse> =>
  who.delete(`/api/users/${id}/block`);

/** Returns the presence of some users, as `asker` sees it. */
export async function presenceOf(asker: ApiClient, ...ids: number[]): Promise<PresenceItem[]> {
  return dataOf(await asker.get(`/api/presence?user_ids=${ids.join(',')}`)).items;
}
