import { Column, Entity, Index } from 'typeorm';
import { BigInteger, GeneratedId, Moment } from '../../database/columns';

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'held'] as const;
/** `held`: it waits for a replay, because its endpoint is off. */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** In characters, of what a failing receiver answered. */
export const RESPONSE_LENGTH = 500;
export const ERROR_LENGTH = 100;

/** An event on its way to one endpoint (contract 12.2). Only who holds the claim writes what came of an attempt. */
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

  /** The `webhook-id`. */
  @Column({ type: 'varchar', length: 64 })
  event_id!: string;

  @Column({ type: 'varchar', length: 40 })
  event_type!: string;

  /** The row of its body. */
  @BigInteger()
  body_id!: number;

  @Column({ type: 'varchar', length: 10 })
  status!: DeliveryStatus;

  /** Since it was made, or asked for again. */
  @Column({ type: 'int' })
  attempts!: number;

  /** Of the last attempt, null where nobody answered. */
  @Column({ type: 'int', nullable: true })
  status_code!: number | null;

  /** Why nobody answered the last attempt. */
  @Column({ type: 'varchar', length: ERROR_LENGTH, nullable: true })
  error!: string | null;

  @Column({ type: 'int', nullable: true })
  ms!: number | null;

  @Column({ type: 'varchar', length: RESPONSE_LENGTH, nullable: true })
  response!: string | null;

  /** When it is tried next; while it is claimed, when the claim ends. Null unless it is pending. */
  @Moment({ nullable: true })
  due_at!: Date | null;

  /** Random, of the attempt that is under way. */
  @Column({ type: 'varchar', length: 36, nullable: true })
  claim!: string | null;

  @Moment()
  created_at!: Date;

  @Moment({ nullable: true })
  finished_at!: Date | null;
}
