import { Column, Entity, Index } from 'typeorm';
import type { Role } from '../../common/auth/principal';
import { Moment, PrimaryBigInteger } from '../../database/columns';

export const USER_DISABLED = 0;
export const USER_ENABLED = 1;

/** A person or a device that can sign in. One that came with a foreign token has no account of its own. */
@Entity('users')
export class UserEntity {
  /** Given by a foreign token's `sub`, else allotted by `UserSequenceEntity`; never by the database. */
  @PrimaryBigInteger()
  id!: number;

  /** The log-in name as it was given; null for users of an identity provider outside. */
  @Column({ type: 'varchar', length: 64, nullable: true })
  account!: string | null;

  /** The folded account: account names compare without case (contract 1.3). Folding may triple the length. */
  @Index('uq_users_account_key', { unique: true })
  @Column({ type: 'varchar', length: 192, nullable: true })
  account_key!: string | null;

  @Column({ type: 'varchar', length: 50 })
  name!: string;

  /** The folded name, for the search. */
  @Column({ type: 'varchar', length: 150, default: '' })
  name_key!: string;

  @Column({ type: 'varchar', length: 500, nullable: true })
  avatar!: string | null;

  /** What log-in puts into a token. */
  @Column({ type: 'varchar', length: 16 })
  role!: Role;

  @Column({ type: 'int' })
  status!: number;

  /** argon2id in its PHC form; null where there is none. Only read where a password is checked. */
  @Column({ type: 'varchar', length: 128, nullable: true, select: false })
  password_hash!: string | null;

  @Index('ix_users_created')
  @Moment()
  created_at!: Date;
}
