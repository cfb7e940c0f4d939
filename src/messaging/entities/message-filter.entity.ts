import { Column, Entity } from 'typeorm';
import type { ConversationId } from '../../common/ids';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';

/**
 * The search filter of the messages `from_seq` to `to_seq` of a conversation (`search/pair-filter.rules.ts`). Filters
 * are an index that is built in the background: without a row, a search reads the messages themselves. The table has a
 * rowid on SQLite, because rows of this size would make its primary key deep.
 */
@Entity('message_filters')
export class MessageFilterEntity {
  @PrimaryBigInteger()
  conversation_id!: ConversationId;

  @PrimaryBigInteger()
  to_seq!: number;

  @BigInteger()
  from_seq!: number;

  /** 1,920 bytes. */
  @Column({ type: 'blob' })
  bits!: Uint8Array;
}
