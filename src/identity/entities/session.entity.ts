import { Entity, Index, PrimaryColumn } from 'typeorm';
import { BigInteger, Moment } from '../../database/columns';

/**
 * One log-in, and what came of it by refreshing: the family of its refresh tokens. Access tokens name it as `sid`
 * and stop working soon after its row is gone.
 */
@Entity('sessions')
export class SessionEntity {
  /** A random UUID. */
  @PrimaryColumn({ type: 'varchar', length: 36 })
  id!: string;

  @Index('ix_sessions_user')
  @BigInteger()
  user_id!: number;

  /** When its last refresh token and its last access token have both run out. */
  @Index('ix_sessions_expiry')
  @Moment()
  expires_at!: Date;

  @Moment()
  created_at!: Date;
}
