import { Column, Entity } from 'typeorm';
import { PrimaryBigInteger } from '../../database/columns';
import type { MediaType } from './call.entity';
import type { Direction } from './call-position.entity';

/** The `peer_id` of the counts of a user's calls with any other user. */
export const ANYBODY = 0;

/** Groups of calls that are counted: by direction, and the missed ones, all of which are incoming. */
export type CountedKind = Direction | 'missed';

/**
 * Numbers of a user's calls, in total (`ANYBODY`) or with one peer. The length of every list of calls is a sum of
 * these. Transactions that add a call to lists lock this row.
 */
@Entity('call_counts', { withoutRowid: true })
export class CallCountsEntity implements Record<`${CountedKind}_${MediaType}`, number> {
  @PrimaryBigInteger()
  user_id!: number;

  @PrimaryBigInteger()
  peer_id!: number;

  @Column({ type: 'int', default: 0 })
  incoming_audio!: number;

  @Column({ type: 'int', default: 0 })
  incoming_video!: number;

  @Column({ type: 'int', default: 0 })
  outgoing_audio!: number;

  @Column({ type: 'int', default: 0 })
  outgoing_video!: number;

  @Column({ type: 'int', default: 0 })
  missed_audio!: number;

  @Column({ type: 'int', default: 0 })
  missed_video!: number;
}
