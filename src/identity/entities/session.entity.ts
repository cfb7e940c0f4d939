import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Role } from '../../common/auth/principal';
import { BigInteger, Moment } from '../../database/columns';

/* Lengths in characters. */
/** An IPv6 address with an IPv4 one at its end. */
export const MAX_IP = 45;
export const MAX_USER_AGENT = 255;

/**
 * One log-in, and what came of it by refreshing: the family of its refresh tokens. Access tokens name it as `sid`
 * and stop working soon after its row is gone.
 */
@Entity('sessions')
@Index('ix_sessions_user_use', ['user_id', 'last_used_at'])
export class SessionEntity {
  /** A random UUID. */
  @PrimaryColumn({ type: 'varchar', length: 36 })
  id!: string;

  @BigInteger()
  user_id!: number;

  /** When its last refresh token and its last access token have both run out. */
  @Index('ix_sessions_expiry')
  @Moment()
  expires_at!: Date;

  @Moment()
  created_at!: Date;

  /** When it was begun or refreshed last; null only where a version before this column began it. */
  @Moment({ nullable: true })
  last_used_at!: Date | null;

  /** The address of the client that did; null where it is not known. */
  @Column({ type: 'varchar', length: MAX_IP, nullable: true })
  ip!: string | null;

  /** What that client said it is, cut at its length. */
  @Column({ type: 'varchar', length: MAX_USER_AGENT, nullable: true })
  user_agent!: string | null;

  /** The role of its tokens, whatever becomes of the user's own; null: that one. */
  @Column({ type: 'varchar', length: 16, nullable: true })
  token_role!: Role | null;

  /** The key of a back end that opened it; null: the user logged in. It may be revoked by now. */
  @Index('ix_sessions_key')
  @BigInteger({ nullable: true })
  api_key_id!: number | null;
}
