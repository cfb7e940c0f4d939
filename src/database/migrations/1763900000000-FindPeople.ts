import type { MigrationInterface, QueryRunner } from 'typeorm';
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
        `${insert} INTO ${PARTS} (part, user_id) VALUES ${some.map(() => '(?, ?)').join(', ')}`,
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

/*
 * Copies of `namePartsOf` and `foldCase` as of this migration. A later change to them needs a migration of its own, and
 * must not change what this one writes.
 */

/** Scripts without spaces between words: any character may begin a word. */
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;
const GAP = /[\s\p{P}\p{Z}]/u;
const MARK = /\p{M}/u;

function namePartsOf(name: string): string[] {
  const characters = Array.from(foldCase(name));
  const starts = characters.flatMap((character, index) =>
    startsPart(character, characters[index - 1]) ? [index] : [],
  );
  return [...new Set(starts.map((start) => characters.slice(start).join('')))];
}

function startsPart(character: string, previous: string | undefined): boolean {
  if (previous === undefined) return true;
  if (GAP.test(character) || MARK.test(character)) return false;
  return GAP.test(previous) || CJK.test(character) || CJK.test(previous);
}

function foldCase(text: string): string {
  const lower = text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase();
  return lower.replaceAll('ς', 'σ').normalize('NFC');
}
