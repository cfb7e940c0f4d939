import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Moment } from '../../database/columns';

/** A refresh token that was given out; kept, used or not, until it expires, so that a second use is recognised. */
@Entity('refresh_tokens')
export class RefreshTokenEntity {
  /** SHA-256 of the token, base64url. */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  hash!: string;

  /** May be gone: a session that ends leaves its tokens behind, worthless. */
  @Column({ type: 'varchar', length: 36 })
  session_id!: string;

  /** When it was exchanged for the next one; null while it can be. */
  @Moment({ nullable: true })
  used_at!: Date | null;

  @Index('ix_refresh_tokens_expiry')
  @Moment()
  expires_at!: Date;
}
