import { Column, Entity, Index } from 'typeorm';
import { BigInteger, GeneratedId, Moment } from '../../database/columns';

export const URL_LENGTH = 1_000;
export const DESCRIPTION_LENGTH = 200;

/** Why an endpoint was switched off by the service: it answered 410, or nothing succeeded for long. */
export type DisabledReason = 'gone' | 'failing';

/** Where a back end wants to be told of what happens (contract 12.1). */
@Entity('webhook_endpoints')
export class WebhookEndpointEntity {
  @GeneratedId()
  id!: number;

  /** One of the places that there are, so that there are never more; null of one that is deleted. */
  @Index('uq_webhook_endpoints_slot', { unique: true })
  @Column({ type: 'int', nullable: true })
  slot!: number | null;

  @Column({ type: 'varchar', length: URL_LENGTH })
  url!: string;

  /** Types of acts, or `*`, as a list in JSON. */
  @Column({ type: 'text' })
  event_types!: string;

  @Column({ type: 'varchar', length: DESCRIPTION_LENGTH, nullable: true })
  description!: string | null;

  /** Whether events carry what people have written. */
  @Column({ type: 'boolean' })
  include_content!: boolean;

  /** 1 on, 0 off. */
  @Column({ type: 'int' })
  status!: number;

  /** Null while it is on, and where somebody switched it off. */
  @Column({ type: 'varchar', length: 10, nullable: true })
  disabled_reason!: DisabledReason | null;

  /** Which form of events it gets; it stays as it was when the endpoint was made. */
  @Column({ type: 'varchar', length: 10 })
  version!: string;

  /** Its secret is made of this and of WEBHOOK_SECRET, and is kept nowhere. */
  @Column({ type: 'varchar', length: 43 })
  salt!: string;

  /** The salt before, whose secret signs along until `previous_until`. */
  @Column({ type: 'varchar', length: 43, nullable: true })
  previous_salt!: string | null;

  @Moment({ nullable: true })
  previous_until!: Date | null;

  /** Since the last success, or since it was switched on or moved. */
  @BigInteger()
  failed_attempts!: number;

  /** The last success, or else the first failure since it was switched on or moved; null before. */
  @Moment({ nullable: true })
  silent_since!: Date | null;

  @Moment({ nullable: true })
  last_success_at!: Date | null;

  @Moment({ nullable: true })
  last_failure_at!: Date | null;

  @Moment()
  created_at!: Date;

  /** It is shown to nobody any more, and goes when its deliveries are gone. */
  @Moment({ nullable: true })
  deleted_at!: Date | null;
}
