import type { EntityManager } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import {
  excluded,
  onConflictUpdate,
  placeholders,
  type RawCount,
  toCount,
  tuples,
} from '../../database/sql/dialect';
import { type Figure, summed } from '../rules/metrics.rules';

/*
 * Daily metrics. All instances update the same rows, so every transaction does it at its end, to keep the locks short,
 * and in the same order, to prevent deadlocks.
 */

/** Adds to metrics; missing rows start at 0. */
export async function addFigures(em: EntityManager, figures: readonly Figure[]): Promise<void> {
  for (const chunk of inChunks(summed(figures)))
    await em.query(
      `INSERT INTO stats_daily (metric, day, value) VALUES ${tuples(chunk, '?, ?, ?')}
       ${onConflictUpdate(em, ['metric', 'day'], `value = stats_daily.value + ${excluded(em, 'value')}`)}`,
      chunk.flatMap(({ metric, day, value }) => [metric, day, value]),
    );
}

interface Row {
  metric: string;
  day: string;
  value: RawCount;
}

/** Reads metrics of a range of days, both ends included; by default all. Days without a row are left out. */
export async function readDailyFigures(
  em: EntityManager,
  metrics: readonly string[],
  { from, to }: { from: string; to: string } = { from: '', to: '9999-12-31' },
): Promise<Figure[]> {
  const rows = await em.query<Row[]>(
    `SELECT metric, day, value FROM stats_daily
     WHERE metric IN (${placeholders(metrics)}) AND day BETWEEN ? AND ?`,
    [...metrics, from, to],
  );
  return rows.map(({ metric, day, value }) => ({ metric, day, value: toCount(value) }));
}
