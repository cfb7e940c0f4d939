import { Entity } from 'typeorm';
import type { ConversationId, UserId } from '../../common/ids';
import { BigInteger, TimestampColumn, PrimaryBigInteger } from '../../database/columns';

/**
 * One advance of a user's read position: the user read the messages `from_seq` to `to_seq` at `read_at`. The intervals
 * of a user never overlap and contain none of the user's own messages. They stay when the user leaves.
 */
@Entity('read_intervals', { withoutRowid: true })
export class ReadIntervalEntity {
  @PrimaryBigInteger()
  conversation_id!: ConversationId;

  @PrimaryBigInteger()
  user_id!: UserId;

  @PrimaryBigInteger()
  to_seq!: number;

  @BigInteger()
  from_seq!: number;

  @TimestampColumn()
  read_at!: Date;
}
