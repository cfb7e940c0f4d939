import { Column, Entity, Index } from 'typeorm';
import { BigInteger, GeneratedId, TimestampColumn } from '../../database/columns';
import { TRACEPARENT_LENGTH } from '../../common/tracing/traceparent';
import type { RecordedEventType } from '../domain-event-types';

/**
 * A domain event, one row regardless of the number of subscribers (API 14.8). Deleted once every consumer has handled
 * it.
 */
@Entity('domain_events')
@Index('ix_domain_events_position', ['position'])
export class DomainEventEntity {
  /** In the order of insertion, which is not the order of the commits. */
  @GeneratedId()
  id!: number;

  /**
   * Place in the order in which consumers read, from 1 without gaps; null until it is assigned after the commit. No
   * committed row gets a lower position than a row that was read before.
   */
  @BigInteger({ nullable: true })
  position!: number | null;

  /** Permanent public id of the domain event: the `webhook-id`. */
  @Column({ type: 'varchar', length: 40 })
  event_id!: string;

  @Column({ type: 'varchar', length: 50 })
  type!: RecordedEventType;

  /** The resource, such as `call:17`. */
  @Column({ type: 'varchar', length: 100 })
  subject!: string;

  /** A JSON object. */
  @Column({ type: 'mediumtext' })
  payload!: string;

  /** `traceparent` of the request that caused it; null: without a trace. */
  @Column({ type: 'varchar', length: TRACEPARENT_LENGTH, nullable: true })
  traceparent!: string | null;

  /** Time of the domain event. */
  @TimestampColumn()
  created_at!: Date;

  /** The only consumer that handles the row, because it failed to handle the domain event before; null: all. */
  @Column({ type: 'varchar', length: 40, nullable: true })
  consumer!: string | null;
}
