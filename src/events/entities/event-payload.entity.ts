import { Column, Entity, Index } from 'typeorm';
import { GeneratedId, TimestampColumn } from '../../database/columns';

/**
 * The shared part of the payloads of several events: the prefix of their JSON, stored once; for a run, one line per
 * event. All its events have the same transaction and `created_at`, so the retention deletes the row after it has
 * deleted all events of that age.
 */
@Entity('event_payloads')
@Index('ix_event_payloads_created', ['created_at'])
export class EventPayloadEntity {
  @GeneratedId()
  id!: number;

  @Column({ type: 'mediumtext' })
  payload!: string;

  /** Length of `payload` in bytes, so that a query need not read the text to know it. */
  @Column({ type: 'int' })
  bytes!: number;

  @TimestampColumn()
  created_at!: Date;
}
