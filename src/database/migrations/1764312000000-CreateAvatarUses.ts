import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, createTable, primary, varchar } from './schema';

/** Creates the uses of attachments by pictures of users and groups. */
export class CreateAvatarUses1764312000000 implements MigrationInterface {
  readonly name = 'CreateAvatarUses1764312000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'avatar_uses', {
      columns: [varchar('owner_type', 16, primary), bigint('owner_id', primary), bigint('attachment_id')],
      withoutRowid: true,
    });
    const integer = runner.dataSource.options.type === 'better-sqlite3' ? 'integer' : 'int';
    if (!(await runner.hasColumn('attachments', 'avatar_bytes')))
      await runner.query(`ALTER TABLE attachments ADD COLUMN avatar_bytes ${integer} NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('attachments', 'avatar_bytes'))
      await runner.query('ALTER TABLE attachments DROP COLUMN avatar_bytes');
    await runner.dropTable('avatar_uses', true);
  }
}
