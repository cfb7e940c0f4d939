import { Entity } from 'typeorm';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';

/** A user's inbox. A transaction updates this row before it changes anything in the inbox, which locks the inbox. */
@Entity('notification_inboxes')
export class InboxEntity {
  @PrimaryBigInteger()
  user_id!: number;

  /** The last assigned position. Positions start at 1, have no gaps when assigned, and are never reused. */
  @BigInteger()
  last_seq!: number;

  /** Incremented by every writer, so that a reader with several statements can detect a change in between. */
  @BigInteger()
  version!: number;

  /**
   * Not an announcement id: the `broadcast_seq` of the last broadcast that the inbox has materialised, or that was sent
   * before the owner existed.
   */
  @BigInteger()
  broadcast_id!: number;
}
