import { Entity, Index, PrimaryColumn } from 'typeorm';
import { PrimaryBigInteger } from '../../database/columns';
import { MAX_FOLDED_NAME } from './user.entity';

/**
 * A suffix of a user's folded name, from the start of a word to the end. A search by name is a range scan over `part`.
 */
@Entity('user_name_parts', { withoutRowid: true })
export class UserNamePartEntity {
  @PrimaryColumn({ type: 'varchar', length: MAX_FOLDED_NAME })
  part!: string;

  @Index('ix_user_name_parts_user')
  @PrimaryBigInteger()
  user_id!: number;
}
