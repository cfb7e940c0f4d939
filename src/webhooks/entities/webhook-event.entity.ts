import { Column, Entity } from 'typeorm';
import { GeneratedId, Moment } from '../../database/columns';

/** The body that tells of an event: the same bytes for all who get it in this form, each time (contract 12.2). */
@Entity('webhook_events')
export class WebhookEventEntity {
  @GeneratedId()
  id!: number;

  @Column({ type: 'mediumtext' })
  body!: string;

  @Moment()
  created_at!: Date;
}
