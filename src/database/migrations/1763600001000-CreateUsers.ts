import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, createTable, int, moment, nullable, primary, varchar } from './schema';

export class CreateUsers1763600001000 implements MigrationInterface {
  readonly name = 'CreateUsers1763600001000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'users', {
      columns: [
        bigint('id', primary),
        varchar('account', 64, nullable),
        varchar('account_key', 192, nullable),
        varchar('name', 50),
        varchar('name_key', 150, { default: "''" }),
        varchar('avatar', 500, nullable),
        varchar('role', 16),
        int('status'),
        varchar('password_hash', 128, nullable),
        moment('created_at'),
      ],
      indices: [
        { name: 'uq_users_account_key', columns: ['account_key'], unique: true },
        { name: 'ix_users_created', columns: ['created_at'] },
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('users', true);
  }
}
