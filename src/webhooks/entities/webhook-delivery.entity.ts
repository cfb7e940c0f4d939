import { Column, Entity, Index } from 'typeorm';
import { BigInteger, GeneratedId, TimestampColumn } from '../../database/columns';

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'held'] as const;
/** `held`: the endpoint is or was disabled; the delivery is sent only when it is replayed or redelivered. */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Maximum number of characters stored of a failed response. */
export const RESPONSE_LENGTH = 500;
export const ERROR_LENGTH = 100;

/**
 * The delivery of one event to one endpoint (API 14.2). Only the instance that holds the claim records an attempt.
 */
@Entity('webhook_deliveries')
@Index('uq_webhook_deliveries_event', ['endpoint_id', 'event_id'], { unique: true })
@Index('ix_webhook_deliveries_due', ['endpoint_id', 'status', 'due_at'])
@Index('ix_webhook_deliveries_list', ['endpoint_id', 'id'])
@Index('ix_webhook_deliveries_type', ['endpoint_id', 'event_type', 'id'])
export class WebhookDeliveryEntity {
  @GeneratedId()
  id!: number;

  @BigInteger()
  endpoint_id!: number;

  /** Value of the header `webhook-id`. */
  @Column({ type: 'varchar', length: 64 })
  event_id!: string;

  @Column({ type: 'varchar', length: 40 })
  event_type!: string;

  /** Id of the row in `webhook_events` with the body. */
  @BigInteger()
  body_id!: number;

  @Column({ type: 'varchar', length: 10 })
  status!: DeliveryStatus;

  /** Number of attempts since the delivery was created or last sent again. */
  @Column({ type: 'int' })
  attempts!: number;

  /** HTTP status of the last attempt; null if it had no response. */
  @Column({ type: 'int', nullable: true })
  status_code!: number | null;

  /** Error code of the last attempt; null if it had a response. */
  @Column({ type: 'varchar', length: ERROR_LENGTH, nullable: true })
  error!: string | null;

  @Column({ type: 'int', nullable: true })
  ms!: number | null;

  @Column({ type: 'varchar', length: RESPONSE_LENGTH, nullable: true })
  response!: string | null;

  /** Time of the next attempt; while the delivery is claimed, the end of the claim. Null unless it is pending. */
  @TimestampColumn({ nullable: true })
  due_at!: Date | null;

  /** Random token of the claim for the running attempt. */
  @Column({ type: 'varchar', length: 36, nullable: true })
  claim!: string | null;

  @TimestampColumn()
  created_at!: Date;

  @TimestampColumn({ nullable: true })
  finished_at!: Date | null;
}
