import { OutboxDispatcher } from '../../src/outbox/outbox-dispatcher';
import { PushDispatcher } from '../../src/push/services/push-dispatcher';
import { PushFanout } from '../../src/push/services/push-fanout.job';
import type { ApiClient } from './api-client';
import { stopJobs } from './jobs';
import { dataOf } from './messaging';
import type { TestApp } from './test-app';

export const TARGETS = '/api/push/targets';

/** A target in a response. */
export interface Target {
  id: number;
  kind: string;
  state: string;
  [field: string]: unknown;
}

/** Registers a terminal by a token. */
export const register = async (api: ApiClient, body: object): Promise<Target> =>
  dataOf(await api.post(TARGETS, { terminal_id: 'phone', ...body })) as Target;

/** Stops the jobs of applications, and their pushes except by `pushAll`. */
export async function holdPushes(...apps: Pick<TestApp, 'app'>[]): Promise<void> {
  await stopJobs(...apps);
  for (const { app } of apps) jest.spyOn(app.get(PushDispatcher), 'wake').mockImplementation(() => undefined);
}

/** Routes all domain events to the queue. */
export async function route({ app }: Pick<TestApp, 'app'>): Promise<void> {
  const outbox = app.get(OutboxDispatcher);
  await outbox.dispatch();
  await app.get(PushFanout).advance();
  await outbox.dispatch();
}

/** Routes all domain events and sends all pushes that are due. */
export async function pushAll(test: Pick<TestApp, 'app'>): Promise<void> {
  await route(test);
  await test.app.get(PushDispatcher).sendAll();
}
