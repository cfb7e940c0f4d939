import { CounterRepair } from '../../src/notifications/counter-repair';
import type { Drift } from '../../src/notifications/recount';
import type { ApiClient } from './api-client';
import type { TestApp } from './test-app';

export interface Listed {
  id: number;
  type: string;
  title: string;
  is_read: number;
  created_at: string;
}

/** The newest 100 of a user's notifications, with the numbers of their page; `query` starts with `&`. */
export async function listOf(api: ApiClient, query = ''): Promise<{ list: Listed[]; total: number }> {
  return (await api.get(`/api/notifications?per_page=100${query}`)).body.data;
}

export async function titlesOf(api: ApiClient, query = ''): Promise<string[]> {
  return (await listOf(api, query)).list.map(({ title }) => title);
}

export async function unreadOf(api: ApiClient): Promise<{ count: number; by_type: Record<string, number> }> {
  return (await api.get('/api/notifications/unread-count')).body.data;
}

/** Every counter that was wrong, mended now. */
export async function repairCounters({ app }: TestApp): Promise<Drift[]> {
  const drift: Drift[] = [];
  for await (const found of app.get(CounterRepair).repair()) drift.push(found);
  return drift;
}
