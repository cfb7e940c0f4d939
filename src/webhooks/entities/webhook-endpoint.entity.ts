import { Column, Entity, Index } from 'typeorm';
import { BigInteger, GeneratedId, TimestampColumn } from '../../database/columns';

export const URL_LENGTH = 1_000;
export const WEBHOOK_DESCRIPTION_LENGTH = 200;

/** Why the service disabled an endpoint: it returned 410 (`gone`), or no delivery succeeded for 5 days (`failing`). */
export type DisabledReason = 'gone' | 'failing';

/** A URL of an integration that receives domain events (API 14.1). */
@Entity('webhook_endpoints')
export class WebhookEndpointEntity {
  @GeneratedId()
  id!: number;

  /**
   * Number from 1 to the maximum number of endpoints. The unique index enforces that maximum. Null for deleted
   * endpoints.
   */
  @Index('uq_webhook_endpoints_slot', { unique: true })
  @Column({ type: 'int', nullable: true })
  slot!: number | null;

  @Column({ type: 'varchar', length: URL_LENGTH })
  url!: string;

  /** Subscribed domain event types, or `*`, as a JSON array. */
  @Column({ type: 'text' })
  event_types!: string;

  @Column({ type: 'varchar', length: WEBHOOK_DESCRIPTION_LENGTH, nullable: true })
  description!: string | null;

  /** Whether payloads include user content. */
  @Column({ type: 'boolean' })
  include_content!: boolean;

  /** 1: enabled; 0: disabled. */
  @Column({ type: 'int' })
  status!: number;

  /** Null while the endpoint is enabled, and when an administrator disabled it. */
  @Column({ type: 'varchar', length: 10, nullable: true })
  disabled_reason!: DisabledReason | null;

  /** Version of the payload format, fixed when the endpoint was created. */
  @Column({ type: 'varchar', length: 10 })
  version!: string;

  /** The secret is derived from this and WEBHOOK_SECRET, and is not stored. */
  @Column({ type: 'varchar', length: 43 })
  salt!: string;

  /** The previous salt. Requests are also signed with its secret until `previous_until`. */
  @Column({ type: 'varchar', length: 43, nullable: true })
  previous_salt!: string | null;

  @TimestampColumn({ nullable: true })
  previous_until!: Date | null;

  /** Failed attempts since the last success, or since the endpoint was enabled or its URL changed. */
  @BigInteger()
  failed_attempts!: number;

  /**
   * Time of the last success, else of the first failure since the endpoint was enabled or its URL changed; null before.
   */
  @TimestampColumn({ nullable: true })
  silent_since!: Date | null;

  @TimestampColumn({ nullable: true })
  last_success_at!: Date | null;

  @TimestampColumn({ nullable: true })
  last_failure_at!: Date | null;

  @TimestampColumn()
  created_at!: Date;

  /** Soft deletion: a deleted endpoint is no longer listed. Its row is deleted after its last delivery. */
  @TimestampColumn({ nullable: true })
  deleted_at!: Date | null;
}
