import type { EntityManager, EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';
import { allottedIds, forcePrimaryKey, lockingEnd, placeholders, type SqlPart, tuples } from './dialect';

/*
 * Statements with the semantics of TypeORM's `find`, `insert`, `update` and `delete`, built directly from the entity's
 * metadata. TypeORM's query builders take 50 µs of processor time per statement, more than a whole small request.
 */

type Column = EntityMetadata['columns'][number];

/** Condition on columns: equal to a value, in a list of values (which no row is, if it is empty), or NULL (null). */
export type Where<Entity> = { [Name in keyof Entity]?: Entity[Name] | readonly Entity[Name][] };

/**
 * Returns the rows that match, in no particular order.
 * @param names the columns to read; default: all but those with `select: false`
 */
export function findRows<Entity extends ObjectLiteral, Name extends keyof Entity & string>(
  em: EntityManager,
  entity: EntityTarget<Entity>,
  where: Where<Entity>,
  names?: readonly Name[],
): Promise<Pick<Entity, Name>[]> {
  const table = em.dataSource.getMetadata(entity);
  const columns = names?.map((name) => columnOf(table, name));
  const { sql, parameters } = conditionOf(table, where);
  const select = `SELECT ${names?.join(', ') ?? '*'} FROM ${table.tableName} WHERE ${sql}`;
  return queryRows(em, entity, select, parameters, columns);
}

/**
 * Locks the rows that match exclusively until the transaction ends, and returns them.
 * @param orderBy the primary key, in whose order rows are locked, so that two transactions do not deadlock; for
 *   conditions on it only. MariaDB then uses its index, regardless of the statistics: if they were made when the table was
 *   small, it would read every row, and wait for rows that other transactions have not committed.
 */
export function lockRows<Entity extends ObjectLiteral>(
  em: EntityManager,
  entity: EntityTarget<Entity>,
  where: Where<Entity>,
  orderBy?: keyof Entity & string,
): Promise<Entity[]> {
  const table = em.dataSource.getMetadata(entity);
  const { sql, parameters } = conditionOf(table, where);
  const index = orderBy === undefined ? '' : forcePrimaryKey(em);
  const order = orderBy === undefined ? '' : ` ORDER BY ${orderBy}`;
  const select = `SELECT * FROM ${table.tableName} ${index} WHERE ${sql}${order}${lockingEnd(em)}`;
  return queryRows(em, entity, select, parameters);
}

/**
 * Runs a SELECT on one table, and returns its rows as instances of the entity's class.
 * @param columns the selected columns; default: all but those with `select: false`
 */
export async function queryRows<Entity extends ObjectLiteral>(
  em: EntityManager,
  entity: EntityTarget<Entity>,
  sql: string,
  parameters: unknown[],
  columns?: readonly Column[],
): Promise<Entity[]> {
  const table = em.dataSource.getMetadata(entity);
  const selected = columns ?? table.columns.filter(({ isSelect }) => isSelect);
  const rows: ObjectLiteral[] = await em.query(sql, parameters);
  return rows.map((row) => hydrate(table, selected, row) as Entity);
}

/**
 * Inserts at least one row with one statement.
 * @returns the driver's insert id: the generated id of the only row, or of the first (MySQL) or last (SQLite) one
 */
export async function insertRows<Entity extends ObjectLiteral>(
  em: EntityManager,
  entity: EntityTarget<Entity>,
  rows: Partial<Entity>[],
): Promise<number> {
  const table = em.dataSource.getMetadata(entity);
  const names = Object.keys(rows[0] ?? {});
  const columns = names.map((name) => columnOf(table, name));
  const result: { insertId: number } | number | bigint = await em.query(
    `INSERT INTO ${table.tableName} (${names.join(', ')}) VALUES ${tuples(rows, placeholders(names))}`,
    rows.flatMap((row) => columns.map((column) => persisted(table, column, row[column.propertyName]))),
  );
  return Number(typeof result === 'object' ? result.insertId : result);
}

/** Inserts at least one row and returns the ids that the database generated, in the order of the rows. */
export async function insertAllotted<Entity extends ObjectLiteral>(
  em: EntityManager,
  entity: EntityTarget<Entity>,
  rows: Partial<Entity>[],
): Promise<number[]> {
  const insertId = await insertRows(em, entity, rows);
  return rows.length === 1 ? [insertId] : allottedIds(em, insertId, rows.length);
}

/** Updates the rows that match and returns their number. */
export async function updateRows<Entity extends ObjectLiteral>(
  em: EntityManager,
  entity: EntityTarget<Entity>,
  where: Where<Entity>,
  changes: Partial<Entity>,
): Promise<number> {
  const table = em.dataSource.getMetadata(entity);
  const names = Object.keys(changes);
  const condition = conditionOf(table, where);
  return affectedBy(
    em,
    `UPDATE ${table.tableName} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE ${condition.sql}`,
    [...names.map((name) => persisted(table, columnOf(table, name), changes[name])), ...condition.parameters],
  );
}

/**
 * Updates at least one row with one statement, each to different values.
 * @param key the primary key, which every row contains
 * @param rows all with the same columns
 */
export async function updateEach<Entity extends ObjectLiteral>(
  em: EntityManager,
  entity: EntityTarget<Entity>,
  key: keyof Entity & string,
  rows: Partial<Entity>[],
): Promise<void> {
  const table = em.dataSource.getMetadata(entity);
  const names = Object.keys(rows[0] ?? {}).filter((name) => name !== key);
  const keyColumn = columnOf(table, key);
  const keys = rows.map((row) => persisted(table, keyColumn, row[key]));
  const cases = rows.map(() => 'WHEN ? THEN ?').join(' ');
  const assignments = names.map((name) => `${name} = CASE ${key} ${cases} ELSE ${name} END`);
  const values = names
    .map((name) => columnOf(table, name))
    .flatMap((column) =>
      rows.flatMap((row, index) => [keys[index], persisted(table, column, row[column.propertyName])]),
    );
  await em.query(
    `UPDATE ${table.tableName} ${forcePrimaryKey(em)} SET ${assignments.join(', ')}
     WHERE ${key} IN (${placeholders(keys)})`,
    [...values, ...keys],
  );
}

/** Deletes the rows that match and returns their number. */
export async function deleteRows<Entity extends ObjectLiteral>(
  em: EntityManager,
  entity: EntityTarget<Entity>,
  where: Where<Entity>,
): Promise<number> {
  const table = em.dataSource.getMetadata(entity);
  const condition = conditionOf(table, where);
  return affectedBy(em, `DELETE FROM ${table.tableName} WHERE ${condition.sql}`, condition.parameters);
}

/** Runs a statement that changes rows inside a transaction, and returns the number of matched rows. */
export async function affectedBy(em: EntityManager, sql: string, parameters: unknown[]): Promise<number> {
  if (em.queryRunner === undefined) throw new Error('Rows can only be changed inside a transaction');
  const result = await em.queryRunner.query(sql, parameters, true);
  return result.affected ?? 0;
}

function conditionOf<Entity>(table: EntityMetadata, where: Where<Entity>): SqlPart {
  const parameters: unknown[] = [];
  const parts = Object.entries(where).map(([name, value]) => {
    if (value === null) return `${name} IS NULL`;
    const values: unknown[] = Array.isArray(value) ? value : [value];
    // An empty list is a syntax error on MySQL.
    if (values.length === 0) return '1 = 0';
    const column = columnOf(table, name);
    parameters.push(...values.map((item) => persisted(table, column, item)));
    return Array.isArray(value) ? `${name} IN (${placeholders(values)})` : `${name} = ?`;
  });
  return { sql: parts.join(' AND '), parameters };
}

/** Converts a value to the database's type; SQLite, for example, has no dates. */
function persisted(table: EntityMetadata, column: Column, value: unknown): unknown {
  if (value === undefined) throw new Error(`${table.tableName}.${column.propertyName} has no value`);
  return table.dataSource.driver.preparePersistentValue(value, column);
}

/** Converts a raw row with the given columns to an instance of the entity's class. */
function hydrate(table: EntityMetadata, columns: readonly Column[], row: ObjectLiteral): ObjectLiteral {
  const entity = Object.create((table.target as { prototype: object }).prototype) as ObjectLiteral;
  for (const column of columns) {
    const value: unknown = row[column.databaseName];
    entity[column.propertyName] = table.dataSource.driver.prepareHydratedValue(value, column);
  }
  return entity;
}

function columnOf(table: EntityMetadata, name: string): Column {
  const column = table.findColumnWithPropertyName(name);
  if (column === undefined) throw new Error(`${table.tableName} has no column ${name}`);
  return column;
}
