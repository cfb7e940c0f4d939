import { Column, Entity, Index } from 'typeorm';
import { GeneratedId, TimestampColumn } from '../../database/columns';
import type { DomainEventType } from '../domain-event-types';

/**
 * A domain event that is not dispatched yet; dispatching deletes the row (API 14.8). One row per domain event,
 * regardless of the number of subscribers.
 */
@Entity('outbox')
@Index('ix_outbox_due', ['due_at'])
export class OutboxEntity {
  @GeneratedId()
  id!: number;

  /** Permanent public id of the domain event: the `webhook-id`. */
  @Column({ type: 'varchar', length: 40 })
  event_id!: string;

  @Column({ type: 'varchar', length: 50 })
  type!: DomainEventType;

  /** The resource, such as `call:17`. */
  @Column({ type: 'varchar', length: 100 })
  subject!: string;

  /** A JSON object. */
  @Column({ type: 'mediumtext' })
  payload!: string;

  /** Time of the domain event. */
  @TimestampColumn()
  created_at!: Date;

  /** Time from which the row may be claimed: its insertion, or the end of the current lease. */
  @TimestampColumn()
  due_at!: Date;

  /**
   * Id of the last lease; null if the row was never claimed. A dispatcher with another lease id must not touch the row.
   */
  @Column({ type: 'varchar', length: 36, nullable: true })
  claim!: string | null;
}
