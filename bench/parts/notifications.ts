import type { DataSource, EntityTarget } from 'typeorm';
import { CounterRepair } from '../../src/notifications/counter-repair';
import { InboxEntity } from '../../src/notifications/entities/inbox.entity';
import { NotificationEntity } from '../../src/notifications/entities/notification.entity';
import type { BenchApp } from '../bench-app';
import { measure, type Row, type Timing } from '../measure';
import type { Part } from './index';

const LIMIT = 1.2;
const TYPES = ['system', 'order', 'call_missed', 'news'];
const BIG = { id: 1, count: 100_000, unread: 30_000 };
const SMALL = { id: 2, count: 20, unread: 6 };
const ROWS_A_STATEMENT = 500;

/** How the cost of one user's calls grows from 20 notifications to 100,000. */
export const notifications: Part = { name: 'notifications', run };

async function run(bench: BenchApp): Promise<Row[]> {
  for (const inbox of [BIG, SMALL]) await load(bench, inbox);
  for await (const _ of bench.app.get(CounterRepair).repair());
  const rows = await compare(bench, 'unread count', 'GET', '/api/notifications/unread-count');
  return rows;
}
