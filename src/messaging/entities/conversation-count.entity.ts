import { Column, Entity, PrimaryColumn } from 'typeorm';
import { PrimaryBigInteger } from '../../database/columns';
import type { ConversationType } from './conversation.entity';

/** How many conversations of a type a user is in, hidden ones too: the total of a list without counting it. */
@Entity('conversation_counts', { withoutRowid: true })
export class ConversationCountEntity {
  @PrimaryBigInteger()
  user_id!: number;

  @PrimaryColumn({ type: 'varchar', length: 8 })
  type!: ConversationType;

  @Column({ type: 'int' })
  total!: number;
}
