import { Column, Entity } from 'typeorm';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';

/**
 * A block of the inbox map (`rules/inbox-block.rules.ts`): types and states of the notifications at 1,024
 * positions of an inbox. The only place where the state of a notification is stored.
 */
@Entity('notification_blocks', { withoutRowid: true })
export class NotificationBlockEntity {
  @PrimaryBigInteger()
  user_id!: number;

  /** The first position: a multiple of 1,024. */
  @PrimaryBigInteger()
  start!: number;

  /** The version of the inbox that wrote the block. */
  @BigInteger()
  version!: number;

  /** Bytes per code in `types`: 1, or 4 if a code exceeds 255. */
  @Column({ type: 'int' })
  width!: number;

  /** The code of the type at each position, 0 without a notification; without trailing zeros. */
  @Column({ type: 'blob' })
  types!: Uint8Array;

  /** One bit per position. Valid while `version` is greater than the epoch of the type. */
  @Column({ type: 'blob' })
  unread!: Uint8Array;

  /** One bit per position; null: no notification of the block is archived. */
  @Column({ type: 'blob', nullable: true })
  archived!: Uint8Array | null;
}
