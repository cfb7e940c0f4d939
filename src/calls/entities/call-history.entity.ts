import { Column, Entity } from 'typeorm';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';
import type { MediaType } from './call.entity';

export const DIRECTIONS = ['incoming', 'outgoing'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** A call as one of its two users finds it in the own history: in key order, with all that the list filters by. */
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

  /** The callee never answered, and did not decline either (contract 3.4). */
  @Column({ type: 'boolean' })
  missed!: boolean;
}
