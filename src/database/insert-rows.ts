import type { EntityManager } from 'typeorm';
import { fromDate } from './raw-values';

type Value = string | number | boolean | Date | null;

/**
 * Inserts rows with one statement, past TypeORM's builder, which costs more than the statement itself. The columns are
 * those of the first row; all rows have the same ones.
 * @returns the id that the database allotted, should it allot any: to the only row, or to one of several
 */
export async function insertRows(
  em: EntityManager,
  table: string,
  rows: readonly Readonly<Record<string, Value>>[],
): Promise<number> {
  const columns = Object.keys(rows[0] ?? {});
  const places = `(${columns.map(() => '?').join(', ')})`;
  const result = await em.query<number | { insertId: number }>(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => places).join(', ')}`,
    rows.flatMap((row) => columns.map((column) => bindable(row[column] ?? null))),
  );
  return typeof result === 'number' ? result : result.insertId;
}

const bindable = (value: Value): string | number | boolean | null =>
  value instanceof Date ? fromDate(value) : value;
