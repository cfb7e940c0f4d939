import { Column, Entity, Index } from 'typeorm';
import { BigInteger, GeneratedId, Moment } from '../../database/columns';
import type { AuditAction, AuditObjectType } from '../rules/audit-actions';

export const ACTOR_TYPES = ['user', 'key', 'system'] as const;
/** Who acts: a user with a token, a back end with a key, or the service itself. */
export type ActorType = (typeof ACTOR_TYPES)[number];

export const MAX_ACTOR_NAME = 255;
export const MAX_ACTION = 40;
export const MAX_OBJECT_ID = 64;
const MAX_IP = 45;
const MAX_REQUEST_ID = 128;

/**
 * Who has done what, and when (contract 14.1). A row is written in the transaction of what it tells of, and nothing changes
 * it. Lists go by (`at`, `id`), downwards; so each filter has an index that ends with these two.
 */
@Entity('audit_log')
@Index('ix_audit_log_at', ['at', 'id'])
@Index('ix_audit_log_actor', ['actor_id', 'at', 'id'])
@Index('ix_audit_log_action', ['action', 'at', 'id'])
@Index('ix_audit_log_actor_action', ['actor_id', 'action', 'at', 'id'])
@Index('ix_audit_log_object', ['object_type', 'object_id', 'at', 'id'])
export class AuditLogEntity {
  @GeneratedId()
  id!: number;

  /** When its transaction ended. */
  @Moment()
  at!: Date;

  @Column({ type: 'varchar', length: 6 })
  actor_type!: ActorType;

  /** The user's or the key's; null of the service itself. */
  @BigInteger({ nullable: true })
  actor_id!: number | null;

  /** As it was then; null of the service itself. */
  @Column({ type: 'varchar', length: MAX_ACTOR_NAME, nullable: true })
  actor_name!: string | null;

  /** Null of the service itself. */
  @Column({ type: 'varchar', length: MAX_IP, nullable: true })
  ip!: string | null;

  /** The `X-Request-Id`; null of the service itself. */
  @Column({ type: 'varchar', length: MAX_REQUEST_ID, nullable: true })
  request_id!: string | null;

  @Column({ type: 'varchar', length: MAX_ACTION })
  action!: AuditAction;

  @Column({ type: 'varchar', length: 20 })
  object_type!: AuditObjectType;

  /** Null where there are several, or none in particular. */
  @Column({ type: 'varchar', length: MAX_OBJECT_ID, nullable: true })
  object_id!: string | null;

  /** JSON; null of something new. (`before` alone is a word of MySQL's.) */
  @Column({ type: 'mediumtext', nullable: true })
  fields_before!: string | null;

  /** JSON; null of something deleted. */
  @Column({ type: 'mediumtext', nullable: true })
  fields_after!: string | null;
}
