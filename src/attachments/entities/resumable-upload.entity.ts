import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { UserId } from '../../common/ids';
import { BigInteger, TimestampColumn } from '../../database/columns';

/** Maximum length of the metadata of a resumable upload, in characters. */
export const MAX_METADATA = 2_000;

/** An upload by the tus protocol, which any instance continues. Its bytes are in a draft file with the id as its name. */
@Entity('resumable_uploads')
@Index('ix_resumable_uploads_user_id', ['user_id'])
@Index('ix_resumable_uploads_expires_at', ['expires_at'])
export class ResumableUploadEntity {
  /** Random. */
  @PrimaryColumn({ type: 'varchar', length: 32 })
  id!: string;

  @BigInteger()
  user_id!: UserId;

  /** Size of the whole file in bytes. */
  @BigInteger()
  size!: number;

  /** Number of bytes that are durably in the draft; the file may be longer after a crash. */
  @BigInteger()
  received!: number;

  /** JSON of the metadata that the client sent. */
  @Column({ type: 'varchar', length: MAX_METADATA })
  metadata!: string;

  /** The attachment that was made of it; null: not complete or not accepted yet. */
  @BigInteger({ nullable: true })
  attachment_id!: number | null;

  /** Token of the request that has the lock; null: none. */
  @Column({ type: 'varchar', length: 32, nullable: true })
  lock_token!: string | null;

  /** The lock is void after this time, for example because its process was killed. */
  @TimestampColumn({ nullable: true })
  locked_until!: Date | null;

  /** Whether another request waits for the lock. */
  @Column({ type: 'boolean' })
  is_lock_wanted!: boolean;

  /** When it is deleted with its draft. */
  @TimestampColumn()
  expires_at!: Date;
}
