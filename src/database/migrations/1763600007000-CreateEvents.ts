import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { bigint, createTable, mediumtext, moment, nullable, primary, varchar } from './schema';

const CHANNEL_INDEX = 'uq_calls_channel';

export class CreateEvents1763600007000 implements MigrationInterface {
  readonly name = 'CreateEvents1763600007000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'event_cursors', {
      columns: [bigint('user_id', primary), bigint('last_seq')],
    });
    await createTable(runner, 'events', {
      columns: [
        bigint('user_id', primary),
        bigint('seq', primary),
        varchar('type', 50),
        mediumtext('payload'),
        moment('created_at'),
      ],
      indices: [{ name: 'ix_events_created', columns: ['created_at'] }],
      withoutRowid: true,
    });
    await createTable(runner, 'media_notices', {
      columns: [varchar('id', 128, primary), moment('received_at')],
      indices: [{ name: 'ix_media_notices_received', columns: ['received_at'] }],
    });
    await createTable(runner, 'call_media_presences', {
      columns: [
        bigint('call_id', primary),
        bigint('user_id', primary),
        varchar('state', 8),
        varchar('position', 20),
        bigint('happened_at'),
        moment('grace_until', nullable),
      ],
    });
    // MySQL commits each statement by itself, so the index may exist already after an interruption.
    const calls = await runner.getTable('calls');
    if (calls?.indices.some(({ name }) => name === CHANNEL_INDEX)) return;
    await runner.createIndex(
      'calls',
      new TableIndex({ name: CHANNEL_INDEX, columnNames: ['channel_name'], isUnique: true }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('calls', CHANNEL_INDEX);
    for (const table of ['call_media_presences', 'media_notices', 'events', 'event_cursors']) {
      await runner.dropTable(table, true);
    }
  }
}
