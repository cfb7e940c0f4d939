import { Column, Entity, Index } from 'typeorm';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';
import type { MediaType } from './call.entity';

export const DIRECTIONS = ['incoming', 'outgoing'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/*
 * A position is the number of a call in a list: 1 for the list's oldest call, in the order of the calls' ids, without
 * gaps. The column's name states by what the list is filtered. Each position has an index, which a page is read from.
 */

abstract class ListedCall {
  @PrimaryBigInteger()
  user_id!: number;

  @PrimaryBigInteger()
  call_id!: number;

  /** The other user of the call. */
  @BigInteger()
  peer_id!: number;

  @Column({ type: 'varchar', length: 8 })
  media_type!: MediaType;

  @Column({ type: 'int' })
  position!: number;

  @Column({ type: 'int' })
  media_position!: number;

  @Column({ type: 'int' })
  peer_position!: number;

  @Column({ type: 'int' })
  peer_media_position!: number;
}

/** A call of one of its two users, with its position in each list of all calls or of those of its direction. */
@Entity('call_positions', { withoutRowid: true })
@Index('ix_call_positions', ['user_id', 'position'])
@Index('ix_call_positions_media', ['user_id', 'media_type', 'media_position'])
@Index('ix_call_positions_direction', ['user_id', 'direction', 'direction_position'])
@Index('ix_call_positions_direction_media', [
  'user_id',
  'direction',
  'media_type',
  'direction_media_position',
])
@Index('ix_call_positions_peer', ['user_id', 'peer_id', 'peer_position'])
@Index('ix_call_positions_peer_media', ['user_id', 'peer_id', 'media_type', 'peer_media_position'])
@Index('ix_call_positions_peer_direction', ['user_id', 'peer_id', 'direction', 'peer_direction_position'])
@Index('ix_call_positions_peer_direction_media', [
  'user_id',
  'peer_id',
  'direction',
  'media_type',
  'peer_direction_media_position',
])
export class CallPositionEntity extends ListedCall {
  @Column({ type: 'varchar', length: 8 })
  direction!: Direction;

  @Column({ type: 'int' })
  direction_position!: number;

  @Column({ type: 'int' })
  direction_media_position!: number;

  @Column({ type: 'int' })
  peer_direction_position!: number;

  @Column({ type: 'int' })
  peer_direction_media_position!: number;
}

/** A call that the user missed (API 5.8), with its position in each list of missed calls. */
@Entity('missed_call_positions', { withoutRowid: true })
@Index('ix_missed_call_positions', ['user_id', 'position'])
@Index('ix_missed_call_positions_media', ['user_id', 'media_type', 'media_position'])
@Index('ix_missed_call_positions_peer', ['user_id', 'peer_id', 'peer_position'])
@Index('ix_missed_call_positions_peer_media', ['user_id', 'peer_id', 'media_type', 'peer_media_position'])
export class MissedCallPositionEntity extends ListedCall {}
