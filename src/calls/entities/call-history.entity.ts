import { Column, Entity } from 'typeorm';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';
import type { MediaType } from './call.entity';

export const DIRECTIONS = ['incoming', 'outgoing'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/**
 * A call in the history of one of its two users, with every column that lists filter by. Pages are read from
 * `CallListEntryEntity`; those lists can be rebuilt from this table.
 */
@Entity('call_history')
export class CallHistoryEntity {
  @PrimaryBigInteger()
  user_id!: number;

  @PrimaryBigInteger()
  call_id!: number;

  @BigInteger()
  peer_id!: number;

  @Column({ type: 'varchar', length: 8 })
  direction!: Direction;

  @Column({ type: 'varchar', length: 8 })
  media_type!: MediaType;

  /** The user is the callee and neither answered nor declined (API 5.8). */
  @Column({ type: 'boolean' })
  missed!: boolean;
}
