import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { hasIndex, bigint, blob, createTable, primary } from './schema';

const MEMBERS = 'conversation_members';
const INDEX = new TableIndex({
  name: 'ix_conversation_members_user',
  columnNames: ['user_id', 'conversation_id'],
});

/** Creates the filters of the search, which the service builds in the background, and lists conversations by id. */
export class SearchMessages1764300000000 implements MigrationInterface {
  readonly name = 'SearchMessages1764300000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'message_filters', {
      columns: [
        bigint('conversation_id', primary),
        bigint('to_seq', primary),
        bigint('from_seq'),
        blob('bits'),
      ],
    });
    if (!(await hasIndex(runner, MEMBERS, INDEX))) await runner.createIndex(MEMBERS, INDEX);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await hasIndex(runner, MEMBERS, INDEX)) await runner.dropIndex(MEMBERS, INDEX);
    await runner.dropTable('message_filters', true);
  }
}
