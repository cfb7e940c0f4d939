import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';
import type { MediaType } from './call.entity';
import type { Direction } from './call-history.entity';

/** As a list's `peer_id`: calls with anybody. */
export const ANYBODY = 0;
/** As a list's `kind` or `media_type`: calls of any. */
export const ANY = '';

export type ListKind = typeof ANY | Direction | 'missed';

export type ListMedia = typeof ANY | MediaType;

/** Which of a user's calls a list holds. */
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

/** A list of a user's calls that can be asked for, and how long it is. Who makes it longer holds it by this row. */
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
