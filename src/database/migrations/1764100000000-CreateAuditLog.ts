import type { MigrationInterface, QueryRunner } from 'typeorm';
import { bigint, createTable, generatedId, mediumtext, moment, nullable, varchar } from './schema';

/** Creates the audit log. */
export class CreateAuditLog1764100000000 implements MigrationInterface {
  readonly name = 'CreateAuditLog1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'audit_log', {
      columns: [
        generatedId(),
        moment('at'),
        varchar('actor_type', 6),
        bigint('actor_id', nullable),
        varchar('actor_name', 255, nullable),
        varchar('ip', 45, nullable),
        varchar('request_id', 128, nullable),
        varchar('action', 40),
        varchar('object_type', 20),
        varchar('object_id', 64, nullable),
        mediumtext('fields_before', nullable),
        mediumtext('fields_after', nullable),
      ],
      indices: [
        { name: 'ix_audit_log_at', columns: ['at', 'id'] },
        { name: 'ix_audit_log_actor', columns: ['actor_type', 'actor_id', 'at', 'id'] },
        { name: 'ix_audit_log_action', columns: ['action', 'at', 'id'] },
        { name: 'ix_audit_log_actor_action', columns: ['actor_type', 'actor_id', 'action', 'at', 'id'] },
        { name: 'ix_audit_log_object', columns: ['object_type', 'object_id', 'at', 'id'] },
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('audit_log', true);
  }
}
