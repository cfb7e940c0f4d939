import { Entity, PrimaryColumn } from 'typeorm';
import { BigInteger, PrimaryBigInteger } from '../../database/columns';

/** Kind of object with a picture. */
export type AvatarOwner = 'user' | 'conversation';

/** The attachment of which the picture of a user or a group is made. */
@Entity('avatar_uses', { withoutRowid: true })
export class AvatarUseEntity {
  @PrimaryColumn({ type: 'varchar', length: 16 })
  owner_type!: AvatarOwner;

  @PrimaryBigInteger()
  owner_id!: number;

  @BigInteger()
  attachment_id!: number;
}
