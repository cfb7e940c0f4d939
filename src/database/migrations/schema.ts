import { type QueryRunner, Table, TableIndex, type TableColumnOptions } from 'typeorm';

/** A column of a migration, in the types that every database shares. */
type ColumnSpec = TableColumnOptions;

type Extras = Partial<Omit<ColumnSpec, 'name' | 'type'>>;

export const generatedId = (name = 'id'): ColumnSpec => ({
  name,
  type: 'bigint',
  isPrimary: true,
  isGenerated: true,
  generationStrategy: 'increment',
});

const column =
  (type: string, base: Extras = {}) =>
  (name: string, extras: Extras = {}): ColumnSpec => ({ name, type, ...base, ...extras });

export const bigint = column('bigint');
export const int = column('int');
export const varchar = (name: string, length: number, extras: Extras = {}): ColumnSpec =>
  column('varchar', { length: String(length) })(name, extras);
export const text = column('text');
/** Up to 16 MiB of text. SQLite's `text` has no limit. */
export const mediumtext = column('mediumtext');
/** Up to 64 KiB. */
export const blob = column('blob');
export const boolean = column('boolean');
export const moment = column('datetime', { precision: 3 });

/** `extras` of a nullable column. */
export const nullable = { isNullable: true } as const;
/** `extras` of a column that is part of the primary key. */
export const primary = { isPrimary: true } as const;

interface TableSpec {
  columns: ColumnSpec[];
  indices?: { name: string; columns: string[]; unique?: boolean }[];
  /** SQLite: clusters the rows by the primary key, as InnoDB does. */
  withoutRowid?: boolean;
}

/**
 * Creates a table that behaves the same on every database. Leaves an existing table unchanged: MySQL commits each
 * statement of a migration by itself, so a migration must be able to run again after an interruption.
 */
export async function createTable(runner: QueryRunner, name: string, spec: TableSpec): Promise<void> {
  const isSqlite = runner.dataSource.options.type === 'better-sqlite3';
  const table = new Table({
    name,
    columns: isSqlite ? spec.columns.map(inSqlite) : spec.columns,
    indices: spec.indices?.map(
      ({ name: index, columns, unique }) =>
        new TableIndex({ name: index, columnNames: columns, isUnique: unique }),
    ),
    withoutRowid: isSqlite && spec.withoutRowid === true,
    engine: isSqlite ? undefined : `InnoDB CHARACTER SET utf8mb4 COLLATE ${await binaryCollation(runner)}`,
  });
  await runner.createTable(table, true);
}

/** SQLite has one integer type, of 64 bits, and only under this name can it be an auto-incremented key. */
const SQLITE_TYPES: Record<string, string> = { bigint: 'integer', int: 'integer', mediumtext: 'text' };

const inSqlite = (column: ColumnSpec): ColumnSpec => ({
  ...column,
  type: SQLITE_TYPES[column.type] ?? column.type,
});

/**
 * Returns the binary collation without padding, with which MySQL compares text byte for byte, as SQLite does. Its
 * default collation ignores case, look-alike characters and trailing spaces. Its name differs on MySQL and MariaDB.
 */
async function binaryCollation(runner: QueryRunner): Promise<string> {
  const [row] = (await runner.query('SELECT VERSION() AS version')) as { version: string }[];
  return row?.version.includes('MariaDB') ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin';
}

/** Whether a table has an index of this name; for migrations that may run again after an interruption. */
export async function hasIndex(runner: QueryRunner, table: string, { name }: TableIndex): Promise<boolean> {
  return (await runner.getTable(table))?.indices.some((index) => index.name === name) === true;
}
