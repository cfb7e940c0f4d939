import type { DataSource } from 'typeorm';

const UNROUTED = `SELECT id FROM domain_events
  WHERE position IS NULL OR position > (SELECT position FROM domain_event_positions WHERE name = 'push') LIMIT 1`;
const TARGETS_IN_FLIGHT = 'SELECT id FROM push_targets WHERE busy_claim IS NOT NULL LIMIT 1';

/** Whether all domain events are routed, and all pushes that are due are sent. */
export async function isQueueDone(dataSource: DataSource): Promise<boolean> {
  const now = new Date().toISOString().replace('T', ' ').replace('Z', '');
  const due = `SELECT id FROM push_jobs WHERE due_at <= '${now}' LIMIT 1`;
  for (const rows of [UNROUTED, 'SELECT id FROM push_fanouts LIMIT 1', due, TARGETS_IN_FLIGHT])
    if ((await dataSource.query<object[]>(rows)).length > 0) return false;
  return true;
}

/** Returns the number of pushes whose acceptance is recorded. */
export async function recordedPushes(dataSource: DataSource): Promise<number> {
  const [row] = await dataSource.query<{ recorded: number | string }[]>(
    'SELECT COUNT(*) AS recorded FROM push_jobs WHERE sent_rev > 0',
  );
  return Number(row?.recorded);
}
