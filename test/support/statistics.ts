import { OutboxDispatcher } from '../../src/outbox/outbox-dispatcher';
import type { FigureDrift } from '../../src/statistics/rules/drift.rules';
import { RecountService } from '../../src/statistics/services/recount.service';
import { StreamCounts } from '../../src/statistics/services/stream-counts';
import { UserActivity } from '../../src/statistics/services/user-activity';
import { RollupJob } from '../../src/statistics/services/rollup.job';
import type { ApiResponse } from './api-client';
import type { TestApp } from './test-app';

const ADMIN = { id: 900_002, role: 'admin' } as const;

/** Sends a statistics request as an administrator. */
export const askStatistics = async ({ api }: TestApp, path: string): Promise<ApiResponse> =>
  (await api.as(ADMIN)).get(`/api/admin/stats/${path}`);

/** Returns the call metrics of a range of days. */
export async function callFigures(test: TestApp, query = ''): Promise<ApiResponse['body']> {
  const { body } = await askStatistics(test, `calls?${query}`);
  expect(body.code).toBe(0);
  return body.data;
}

export async function overview(test: TestApp): Promise<ApiResponse['body']> {
  const { body } = await askStatistics(test, 'overview');
  expect(body.code).toBe(0);
  return body.data;
}

/** Counts the finished calls. */
export const countCalls = ({ app }: TestApp): Promise<void> => app.get(OutboxDispatcher).dispatch();

/** Advances the clock by a minute, which counts all earlier messages and users and writes the active users. */
export async function advanceMinute(...tests: TestApp[]): Promise<void> {
  for (const { app } of tests) await app.get(RollupJob).run();
  tests[0]?.clock.advance(61);
  for (const { app } of tests) await app.get(RollupJob).run();
  await writeActivity(...tests);
}

export async function writeActivity(...tests: TestApp[]): Promise<void> {
  for (const { app } of tests) await app.get(UserActivity).write();
}

/** Makes instances report their numbers of open streams. */
export async function reportStreams(...tests: TestApp[]): Promise<void> {
  for (const { app } of tests) await app.get(StreamCounts).report();
}

/** Recounts everything as `npm run repair:stats` does. Returns the differences. */
export async function repairStatistics({ app }: TestApp): Promise<FigureDrift[]> {
  const drift: FigureDrift[] = [];
  for await (const found of app.get(RecountService).repair()) drift.push(found);
  return drift;
}
