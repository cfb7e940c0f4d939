import { Column, Entity, Index } from 'typeorm';
import { BigInteger, GeneratedId, TimestampColumn } from '../../database/columns';
import type { AuditAction, AuditObjectType } from '../rules/audit-actions.rules';

export const ACTOR_TYPES = ['user', 'key', 'system'] as const;
/** The type of actor: a user with a token, a backend with an API key, or the service itself. */
export type ActorType = (typeof ACTOR_TYPES)[number];

export const MAX_ACTOR_NAME = 255;
export const MAX_ACTION = 40;
export const MAX_OBJECT_ID = 64;
const MAX_IP = 45;
const MAX_REQUEST_ID = 128;

/**
 * An entry of the audit log (API 15.1). It is written in the transaction that it describes and never changed.
 * Lists are sorted by (`at`, `id`) descending, so each filter has an index that ends with these two columns.
 */
@Entity('audit_log')
@Index('ix_audit_log_at', ['at', 'id'])
@Index('ix_audit_log_actor', ['actor_type', 'actor_id', 'at', 'id'])
@Index('ix_audit_log_action', ['action', 'at', 'id'])
@Index('ix_audit_log_actor_action', ['actor_type', 'actor_id', 'action', 'at', 'id'])
@Index('ix_audit_log_object', ['object_type', 'object_id', 'at', 'id'])
export class AuditLogEntity {
  @GeneratedId()
  id!: number;

  /** When the transaction ended. */
  @TimestampColumn()
  at!: Date;

  @Column({ type: 'varchar', length: 6 })
  actor_type!: ActorType;

  /** The id of the user or API key; null for `system`. */
  @BigInteger({ nullable: true })
  actor_id!: number | null;

  /** The name at that time; null for `system`. */
  @Column({ type: 'varchar', length: MAX_ACTOR_NAME, nullable: true })
  actor_name!: string | null;

  /** The client address; null for `system`. */
  @Column({ type: 'varchar', length: MAX_IP, nullable: true })
  ip!: string | null;

  /** The `X-Request-Id`; null for `system`. */
  @Column({ type: 'varchar', length: MAX_REQUEST_ID, nullable: true })
  request_id!: string | null;

  @Column({ type: 'varchar', length: MAX_ACTION })
  action!: AuditAction;

  @Column({ type: 'varchar', length: 20 })
  object_type!: AuditObjectType;

  /** Null for several objects, or for none in particular. */
  @Column({ type: 'varchar', length: MAX_OBJECT_ID, nullable: true })
  object_id!: string | null;

  /** JSON; null for a new object. (`before` alone is a reserved word of MySQL.) */
  @Column({ type: 'mediumtext', nullable: true })
  fields_before!: string | null;

  /** JSON; null for a deleted object. */
  @Column({ type: 'mediumtext', nullable: true })
  fields_after!: string | null;
}
