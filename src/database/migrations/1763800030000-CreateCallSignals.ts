import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, createTable, generatedId, mediumtext, moment, varchar } from './schema';

const CALLS = 'calls';
const COLUMN = 'caller_terminal_id';

/** Adds signals of peer-to-peer calls, and the terminal that placed a call, which is unknown for existing calls. */
export class CreateCallSignals1763800030000 implements MigrationInterface {
  readonly name = 'CreateCallSignals1763800030000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn(CALLS, COLUMN)))
      await runner.query(`ALTER TABLE ${CALLS} ADD COLUMN ${COLUMN} varchar(64) NULL`);
    await createTable(runner, 'call_signals', {
      columns: [
        generatedId(),
        bigint('call_id'),
        bigint('sender_id'),
        varchar('signal_id', 64),
        mediumtext('body'),
        moment('created_at'),
      ],
      indices: [
        { name: 'uq_call_signals', columns: ['call_id', 'sender_id', 'signal_id'], unique: true },
        { name: 'ix_call_signals_created', columns: ['created_at'] },
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('call_signals', true);
    if (await runner.hasColumn(CALLS, COLUMN))
      await runner.query(`ALTER TABLE ${CALLS} DROP COLUMN ${COLUMN}`);
  }
}
