import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'conversation_members';
const COLUMN = 'peer_id';

const LOWER = "CAST(SUBSTR(c.single_key, 1, INSTR(c.single_key, ':') - 1) AS UNSIGNED)";
const HIGHER = "CAST(SUBSTR(c.single_key, INSTR(c.single_key, ':') + 1) AS UNSIGNED)";

/** Stores the peer in each member's row of a single chat. Before, the peer was derived from the chat's key. */
export class NamePeersOfSingleChats1763700050000 implements MigrationInterface {
  readonly name = 'NamePeersOfSingleChats1763700050000';

  async up(runner: QueryRunner): Promise<void> {
    const type = runner.dataSource.options.type === 'better-sqlite3' ? 'integer' : 'bigint';
    if (!(await runner.hasColumn(TABLE, COLUMN)))
      await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN ${COLUMN} ${type} NULL`);
    await runner.query(
      `UPDATE ${TABLE} SET ${COLUMN} =
         (SELECT CASE WHEN ${LOWER} = ${TABLE}.user_id THEN ${HIGHER} ELSE ${LOWER} END
          FROM conversations c WHERE c.id = ${TABLE}.conversation_id)
       WHERE type = 'single'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${COLUMN}`);
  }
}
