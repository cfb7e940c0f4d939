import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../database/columns';

/** An issued refresh token. The row is kept until the token expires, used or not, so that reuse is detected. */
@Entity('refresh_tokens')
export class RefreshTokenEntity {
  /** SHA-256 of the token, base64url. */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  hash!: string;

  /** The session may have been deleted: its tokens stay, but are no longer valid. */
  @Column({ type: 'varchar', length: 36 })
  session_id!: string;

  /** When the token was exchanged for the next one; null while it is still valid for exchange. */
  @TimestampColumn({ nullable: true })
  used_at!: Date | null;

  @Index('ix_refresh_tokens_expiry')
  @TimestampColumn()
  expires_at!: Date;
}
