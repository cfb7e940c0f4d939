import type { MigrationInterface, QueryRunner } from 'typeorm';
import { namePartsOf } from '../../common/name-parts';
import { tuples } from '../sql/dialect';
import { bigint, createTable, primary, varchar } from './schema';

const USERS = 'users';
const FLAGS = ['discoverable', 'presence_visible'];
const PARTS = 'user_name_parts';
const CHUNK = 500;
/** SQLite accepts 32,766 parameters per statement. A name of 50 CJK characters has 50 parts. */
const ROWS = 2_000;

interface NamedUser {
  id: number;
  name: string;
}

/** Adds the parts of names that the people search uses, and the privacy settings of users. */
export class FindPeople1763900000000 implements MigrationInterface {
  readonly name = 'FindPeople1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    const isSqlite = runner.dataSource.options.type === 'better-sqlite3';
    const flag = `${isSqlite ? 'boolean' : 'tinyint'} NOT NULL DEFAULT 1`;
    for (const column of FLAGS)
      if (!(await runner.hasColumn(USERS, column)))
        await runner.query(`ALTER TABLE ${USERS} ADD COLUMN ${column} ${flag}`);
    await createTable(runner, PARTS, {
      columns: [varchar('part', 150, primary), bigint('user_id', primary)],
      indices: [{ name: 'ix_user_name_parts_user', columns: ['user_id'] }],
      withoutRowid: true,
    });
    await fillParts(runner, isSqlite ? 'INSERT OR IGNORE' : 'INSERT IGNORE');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(PARTS, true);
    for (const column of FLAGS)
      if (await runner.hasColumn(USERS, column))
        await runner.query(`ALTER TABLE ${USERS} DROP COLUMN ${column}`);
  }
}

/** Processes users in chunks, by id. A run after an interruption starts again; existing rows are ignored. */
async function fillParts(runner: QueryRunner, insert: string): Promise<void> {
  for (let users = await usersAfter(runner, 0); users.length > 0;) {
    const rows = users.flatMap(({ id, name }) => namePartsOf(name).map((part) => [part, id]));
    for (let start = 0; start < rows.length; start += ROWS) {
      const some = rows.slice(start, start + ROWS);
      await runner.query(
        `${insert} INTO ${PARTS} (part, user_id) VALUES ${tuples(some, '?, ?')}`,
        some.flat(),
      );
    }
    users = await usersAfter(runner, Number(users.at(-1)?.id));
  }
}

const usersAfter = (runner: QueryRunner, id: number): Promise<NamedUser[]> =>
  runner.query(`SELECT id, name FROM ${USERS} WHERE id > ? ORDER BY id LIMIT ${CHUNK}`, [id]) as Promise<
    NamedUser[]
  >;
