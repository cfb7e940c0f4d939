import { Column, Entity, Index } from 'typeorm';
import { GeneratedId, Moment } from '../../database/columns';
import type { ActType } from '../act-types';

/** An act that is still to be routed; then the row goes (contract 9). One row for each act, whoever wants it. */
@Entity('outbox')
@Index('ix_outbox_due', ['due_at'])
export class OutboxEntity {
  @GeneratedId()
  id!: number;

  /** By which the act is known for ever, outside too. */
  @Column({ type: 'varchar', length: 40 })
  event_id!: string;

  @Column({ type: 'varchar', length: 50 })
  type!: ActType;

  /** What it is about, such as `call:17`. */
  @Column({ type: 'varchar', length: 100 })
  subject!: string;

  /** A JSON object. */
  @Column({ type: 'mediumtext' })
  payload!: string;

  /** When it happened. */
  @Moment()
  created_at!: Date;

  /** From when on it may be claimed: at once, or when the lease of who has claimed it is over. */
  @Moment()
  due_at!: Date;

  /** The lease under which it was claimed last; who holds another one leaves the row alone. */
  @Column({ type: 'varchar', length: 36, nullable: true })
  claim!: string | null;
}
