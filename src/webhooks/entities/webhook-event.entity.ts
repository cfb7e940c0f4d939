import { Column, Entity } from 'typeorm';
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

  @TimestampColumn()
  created_at!: Date;
}
