import { Column, Entity, Index } from 'typeorm';
import type { Role } from '../../common/auth/principal';
import { GeneratedId, Moment } from '../../database/columns';

export const USER_DISABLED = 0;
export const USER_ENABLED = 1;

/** A person or a device that can sign in. One that came with a foreign token has no account of its own. */
@Entity('users')
export class UserEntity {
  @GeneratedId()
  id!: number;

  /** The log-in name, folded to lower case; null for users of an identity provider outside. */
  @Index('uq_users_account', { unique: true })
  @Column({ type: 'varchar', length: 64, nullable: true })
  account!: string | null;

  @Column({ type: 'varchar', length: 50 })
  name!: string;

  @Column({ type: 'varchar', length: 500, nullable: true })
  avatar!: string | null;

  /** What log-in puts into a token. */
  @Column({ type: 'varchar', length: 16 })
  role!: Role;

  @Column({ type: 'int' })
  status!: number;

  @Moment()
  created_at!: Date;
}
