import type { EntityManager } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import { given, orUpdate, placeholders, type RawCount, toCount, tuples } from '../../database/dialect';
import { type Figure, summed } from '../rules/metrics';

/* The figures of days. Everybody changes them last in a transaction and in one order, for all instances do. */

/** Adds to figures; those that are not there yet begin with 0. */
export async function addFigures(em: EntityManager, figures: readonly Figure[]): Promise<void> {
  for (const some of inChunks(summed(figures)))
    await em.query(
      `INSERT INTO stats_daily (metric, day, value) VALUES ${tuples(some, '?, ?, ?')}
       ${orUpdate(em, ['metric', 'day'], `value = stats_daily.value + ${given(em, 'value')}`)}`,
      some.flatMap(({ metric, day, value }) => [metric, day, value]),
    );
}

interface Row {
  metric: string;
  day: string;
  value: RawCount;
}

/** Figures of the days of a range, both ends included, or of all that there are; days without one are left out. */
export async function readFigures(
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
