import { Entity } from 'typeorm';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';

/** One user's inbox. Whoever changes anything in it updates this row first, so its writers take turns. */
@Entity('notification_inboxes')
export class InboxEntity {
  @PrimaryBigInteger()
  user_id!: number;

  /** The position given last; positions are dense, from 1, and never given again. */
  @BigInteger()
  last_seq!: number;

  /** Rises with every act of a writer, so that a reader of several statements can tell that nothing moved. */
  @BigInteger()
  version!: number;

  /** The `broadcast_seq` of the last announcement that it has taken in, or that was sent before the owner existed. */
  @BigInteger()
  broadcast_id!: number;
}
