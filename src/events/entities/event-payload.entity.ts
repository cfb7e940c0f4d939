import { Column, Entity, Index } from 'typeorm';
import { GeneratedId, Moment } from '../../database/columns';

/**
 * What the payloads of several events have in common: the beginning of their JSON, written once; a line for each event
 * of a run. Its events are of one transaction and of its moment, so the retention takes it when it has taken all events
 * that are as old.
 */
@Entity('event_payloads')
@Index('ix_event_payloads_created', ['created_at'])
export class EventPayloadEntity {
  @GeneratedId()
  id!: number;

  @Column({ type: 'mediumtext' })
  payload!: string;

  /** The length of `payload`, which can so be known without reading it. */
  @Column({ type: 'int' })
  bytes!: number;

  @Moment()
  created_at!: Date;
}
