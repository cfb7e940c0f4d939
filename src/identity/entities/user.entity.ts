import { Column, Entity, Index } from 'typeorm';
import type { Role } from '../../common/auth/principal';
import { MAX_EXTERNAL_ID } from '../../common/auth/token-claims';
import { MAX_ISSUER } from '../../config/auth-config';
import { BigInteger, Moment, PrimaryBigInteger } from '../../database/columns';
import { MAX_NAME } from '../rules/limits';

export const USER_DISABLED = 0;
export const USER_ENABLED = 1;

/* Lengths in characters (contract 2). */
export const MAX_ACCOUNT = 64;
export const MAX_AVATAR = 500;
/** Of an external id that is told here; those of providers may be longer (contract 13.2). */
export const MAX_OWN_EXTERNAL_ID = 128;
/** By how much folding can lengthen a text at most: one character becomes up to three. */
const FOLDING_GROWTH = 3;
export const MAX_FOLDED_NAME = MAX_NAME * FOLDING_GROWTH;

/** A person or a device that can sign in. One that came with a foreign token has no account of its own. */
@Entity('users')
@Index('uq_users_external', ['external_id', 'issuer'], { unique: true })
export class UserEntity {
  /** Given by a foreign token's `sub`, else allotted by `UserSequenceEntity`; never by the database. */
  @PrimaryBigInteger()
  id!: number;

  /** The log-in name as it was given; null for users of an identity provider outside. */
  @Column({ type: 'varchar', length: MAX_ACCOUNT, nullable: true })
  account!: string | null;

  /** The folded account: account names compare without case (contract 1.3). */
  @Index('uq_users_account_key', { unique: true })
  @Column({ type: 'varchar', length: MAX_ACCOUNT * FOLDING_GROWTH, nullable: true })
  account_key!: string | null;

  /** Whose `external_id` it is; '' where one provider alone is configured and no issuer (contract 18.1). */
  @Column({ type: 'varchar', length: MAX_ISSUER, default: '' })
  issuer!: string;

  /** The text by which an identity provider names the user; null for one who is named by `id`. */
  @Column({ type: 'varchar', length: MAX_EXTERNAL_ID, nullable: true })
  external_id!: string | null;

  @Column({ type: 'varchar', length: MAX_NAME })
  name!: string;

  /** The folded name, for the search. */
  @Column({ type: 'varchar', length: MAX_FOLDED_NAME, default: '' })
  name_key!: string;

  @Column({ type: 'varchar', length: MAX_AVATAR, nullable: true })
  avatar!: string | null;

  /** Whether others find the user by name. */
  @Column({ type: 'boolean', default: true })
  discoverable!: boolean;

  /** Whether others see when the user is there; who hides sees nobody either. */
  @Column({ type: 'boolean', default: true })
  presence_visible!: boolean;

  /** When the token was issued that name and picture were taken from, in ms since 1970; null where none was. */
  @BigInteger({ nullable: true })
  profile_at!: number | null;

  /** What log-in puts into a token. */
  @Index('ix_users_role')
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
