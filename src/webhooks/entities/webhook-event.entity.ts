import { Column, Entity } from 'typeorm';
import { TRACEPARENT_LENGTH } from '../../common/tracing/traceparent';
import { GeneratedId, TimestampColumn } from '../../database/columns';

/**
 * Request body of an event, shared by all endpoints with the same payload format: each attempt sends the same bytes
 * (API 14.3).
 */
@Entity('webhook_events')
export class WebhookEventEntity {
  @GeneratedId()
  id!: number;

  @Column({ type: 'mediumtext' })
  body!: string;

  /** `traceparent` of the request that caused the event; null: without a trace. */
  @Column({ type: 'varchar', length: TRACEPARENT_LENGTH, nullable: true })
  traceparent!: string | null;

  @TimestampColumn()
  created_at!: Date;
}
