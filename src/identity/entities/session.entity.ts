import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Role } from '../../common/auth/principal';
import { BigInteger, TimestampColumn } from '../../database/columns';

/* Lengths in characters. */
/** Length of an IPv6 address that ends with an IPv4 address. */
export const MAX_IP = 45;
export const MAX_USER_AGENT = 255;

/**
 * A login session: the family of refresh tokens of one login. Access tokens contain its id as `sid` and are rejected
 * soon after its row is deleted.
 */
@Entity('sessions')
@Index('ix_sessions_user_use', ['user_id', 'last_used_at'])
@Index('ix_sessions_use', ['last_used_at', 'id'])
export class SessionEntity {
  /** A random UUID. */
  @PrimaryColumn({ type: 'varchar', length: 36 })
  id!: string;

  @BigInteger()
  user_id!: number;

  /** When the last refresh token and the last access token have both expired. */
  @Index('ix_sessions_expiry')
  @TimestampColumn()
  expires_at!: Date;

  @TimestampColumn()
  created_at!: Date;

  /** When the session was opened or last refreshed; null only for sessions opened before this column existed. */
  @TimestampColumn({ nullable: true })
  last_used_at!: Date | null;

  /** Address of the client at that time; null if unknown. */
  @Column({ type: 'varchar', length: MAX_IP, nullable: true })
  ip!: string | null;

  /** The client's `User-Agent` at that time, truncated to the column length. */
  @Column({ type: 'varchar', length: MAX_USER_AGENT, nullable: true })
  user_agent!: string | null;

  /** The role of its tokens, regardless of later changes to the user's role; null: the user's role. */
  @Column({ type: 'varchar', length: 16, nullable: true })
  token_role!: Role | null;

  /** The API key that opened the session, which may have been revoked since; null: the user logged in. */
  @Index('ix_sessions_key')
  @BigInteger({ nullable: true })
  api_key_id!: number | null;
}
