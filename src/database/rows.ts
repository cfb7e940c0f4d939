import type { EntityManager, EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';
import { allottedIds, byPrimaryKey, placeholders, tuples } from './dialect';

/*
 * The statements of hot paths: TypeORM's own `find`, `insert`, `update` and `delete` with the same meaning, made
 * straight from the entity's description. Its query builders take 50 µs of processor time for each statement; the
 * whole of a small request takes less. Everything else goes through the repository.
 */

type Column = EntityMetadata['columns'][number];

/** Columns that must have a value, one of several values (a list), or none (null). */
export type Where<Entity> = { [Name in keyof Entity]?: Entity[Name] | readonly Entity[Name][] };

/**
 * The rows that match, in no order.
 * @param names of what is wanted of them; all of it by default
 */
export async function findRows<Entity extends ObjectLiteral, Name extends keyof Entity & string>(
  em: EntityManager,
  entity: EntityTarget<Entity>,
  where: Where<Entity>,
  names?: readonly Name[],
): Promise<Pick<Entity, Name>[]> {
  const table = em.dataSource.getMetadata(entity);
  const columns = names?.map((name) => columnOf(table, name)) ?? table.columns;
  const condition = conditionOf(table, where);
  const rows: ObjectLiteral[] = await em.query(
    `SELECT ${names?.join(', ') ?? '*'} FROM ${table.tableName} WHERE ${condition.sql}`,
    condition.parameters,
  );
  return rows.map((row) => hydrate(table, columns, row) as Entity);
}

/** Inserts rows, at least one, with one statement; answers the id that the database allotted to the only one, if any. */
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

/** Inserts rows, at least one, whose ids the database allots; answers these, in the order of the rows. */
export async function insertAllotted<Entity extends ObjectLiteral>(
  em: EntityManager,
  entity: EntityTarget<Entity>,
  rows: Partial<Entity>[],
): Promise<number[]> {
  const known = await insertRows(em, entity, rows);
  return rows.length === 1 ? [known] : allottedIds(em, known, rows.length);
}

/** Changes the rows that match; answers how many did. */
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

/** Changes rows, at least one, each to values of its own, with one statement. All name the same columns; `key` is the primary one. */
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
    `UPDATE ${table.tableName} ${byPrimaryKey(em)} SET ${assignments.join(', ')}
     WHERE ${key} IN (${placeholders(keys)})`,
    [...values, ...keys],
  );
}

/** Deletes the rows that match; answers how many did. */
export async function deleteRows<Entity extends ObjectLiteral>(
  em: EntityManager,
  entity: EntityTarget<Entity>,
  where: Where<Entity>,
): Promise<number> {
  const table = em.dataSource.getMetadata(entity);
  const condition = conditionOf(table, where);
  return affectedBy(em, `DELETE FROM ${table.tableName} WHERE ${condition.sql}`, condition.parameters);
}

/** Runs a statement that changes rows, inside a transaction; answers how many it matched. */
export async function affectedBy(em: EntityManager, sql: string, parameters: unknown[]): Promise<number> {
  if (em.queryRunner === undefined) throw new Error('Rows are changed inside a transaction');
  const result = await em.queryRunner.query(sql, parameters, true);
  return result.affected ?? 0;
}

function conditionOf<Entity>(
  table: EntityMetadata,
  where: Where<Entity>,
): { sql: string; parameters: unknown[] } {
  const parameters: unknown[] = [];
  const parts = Object.entries(where).map(([name, value]) => {
    if (value === null) return `${name} IS NULL`;
    const values: unknown[] = Array.isArray(value) ? value : [value];
    const column = columnOf(table, name);
    parameters.push(...values.map((one) => persisted(table, column, one)));
    return Array.isArray(value) ? `${name} IN (${placeholders(values)})` : `${name} = ?`;
  });
  return { sql: parts.join(' AND '), parameters };
}

/** A value as the database takes it: SQLite, for one, knows no dates. */
function persisted(table: EntityMetadata, column: Column, value: unknown): unknown {
  if (value === undefined) throw new Error(`${table.tableName}.${column.propertyName} has no value`);
  return table.dataSource.driver.preparePersistentValue(value, column);
}

/** Some columns of a row of the table, as an instance of its class. */
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
