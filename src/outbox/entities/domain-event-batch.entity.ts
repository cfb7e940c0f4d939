import { Column, Entity, Index } from 'typeorm';
import { BigInteger, GeneratedId, TimestampColumn } from '../../database/columns';

/**
 * Domain events of one transaction, regardless of the number of subscribers (API 14.8): one row instead of one each,
 * because a row is inserted, numbered and deleted. Deleted once every consumer has handled it.
 */
@Entity('domain_events')
@Index('ix_domain_events_position', ['position'])
export class DomainEventBatchEntity {
  /** In the order of insertion, which is not the order of the commits. */
  @GeneratedId()
  id!: number;

  /**
   * Place in the order in which consumers read, from 1; null until it is assigned after the commit. No committed row
   * gets a lower position than a row that was read before.
   */
  @BigInteger({ nullable: true })
  position!: number | null;

  /** A JSON array of `OutboxEvent`, in the order in which they were recorded. */
  @Column({ type: 'mediumtext' })
  events!: string;

  /** Time of the first domain event. */
  @TimestampColumn()
  created_at!: Date;

  /** The only consumer that handles the row, because it failed to handle the domain events before; null: all. */
  @Column({ type: 'varchar', length: 40, nullable: true })
  consumer!: string | null;
}
