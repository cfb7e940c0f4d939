import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable, generatedId, int, moment, nullable, varchar } from './schema';

export class CreateUsers1763600001000 implements MigrationInterface {
  readonly name = 'CreateUsers1763600001000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'users', {
      columns: [
        generatedId(),
        varchar('account', 64, nullable),
        varchar('name', 50),
        varchar('avatar', 500, nullable),
        varchar('role', 16),
        int('status'),
        moment('created_at'),
      ],
      indices: [{ name: 'uq_users_account', columns: ['account'], unique: true }],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('users', true);
  }
}
