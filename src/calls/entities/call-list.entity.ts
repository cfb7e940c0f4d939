import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';
import type { MediaType } from './call.entity';
import type { Direction } from './call-history.entity';

/** The `peer_id` of a list that is not filtered by the other user. */
export const ANYBODY = 0;
/** The `kind` or `media_type` of a list that is not filtered by it. */
export const ANY = '';

export type ListKind = typeof ANY | Direction | 'missed';

export type ListMedia = typeof ANY | MediaType;

/** The key of a list: which of a user's calls it contains. */
abstract class CallListKey {
  @PrimaryBigInteger()
  user_id!: number;

  /** The other user of these calls, or `ANYBODY`. */
  @PrimaryBigInteger()
  peer_id!: number;

  /** A direction, `missed` (all of which are incoming), or `ANY`. */
  @PrimaryColumn({ type: 'varchar', length: 8 })
  kind!: ListKind;

  @PrimaryColumn({ type: 'varchar', length: 8 })
  media_type!: ListMedia;
}

/** A list of a user's calls that a client can request, and its length. Transactions that add a call lock this row. */
@Entity('call_lists', { withoutRowid: true })
export class CallListEntity extends CallListKey {
  @Column({ type: 'int' })
  total!: number;
}

/** A call in a list. Positions are 1 to the list's `total`, in the order of the calls' ids. */
@Entity('call_list_entries', { withoutRowid: true })
export class CallListEntryEntity extends CallListKey {
  @PrimaryColumn({ type: 'int' })
  position!: number;

  @BigInteger()
  call_id!: number;
}
