import { Column, Entity, Index } from 'typeorm';
import type { UserId } from '../../common/ids';
import { BigInteger, GeneratedId, TimestampColumn } from '../../database/columns';
import { MAX_FILE_NAME } from '../rules/file-name.rules';
import type { AttachmentType } from '../rules/file-types.rules';

/**
 * `uploading`: the bytes are being stored; `ready`: it can be sent; `deleted`: its bytes are being deleted. The row is
 * written before the bytes and deleted after them, so there are no bytes without a row.
 */
export type AttachmentStatus = 'uploading' | 'ready' | 'deleted';

/** An uploaded file. */
@Entity('attachments')
@Index('ix_attachments_sweep', ['status', 'use_count', 'sweep_at'])
@Index('ix_attachments_sums', ['type', 'created_at', 'stored_bytes'])
export class AttachmentEntity {
  @GeneratedId()
  id!: number;

  /** The user who uploaded it. */
  @BigInteger()
  user_id!: UserId;

  @Column({ type: 'varchar', length: 16 })
  status!: AttachmentStatus;

  @Column({ type: 'varchar', length: 8 })
  type!: AttachmentType;

  @Column({ type: 'varchar', length: MAX_FILE_NAME })
  name!: string;

  /** Extension of the URL, without the dot. */
  @Column({ type: 'varchar', length: 10 })
  extension!: string;

  @Column({ type: 'varchar', length: 100, nullable: true })
  mime_type!: string | null;

  /** Size of the file in bytes, after the conversion of a picture. */
  @BigInteger()
  size!: number;

  /** Size of everything that is stored for it; counts towards the user's quota. */
  @BigInteger()
  stored_bytes!: number;

  @Column({ type: 'int', nullable: true })
  width!: number | null;

  @Column({ type: 'int', nullable: true })
  height!: number | null;

  /** In seconds, as the client stated it. */
  @Column({ type: 'int', nullable: true })
  duration!: number | null;

  /** A data URL of at most 1.5 kB, shown until the picture is loaded. */
  @Column({ type: 'varchar', length: 1500, nullable: true })
  preview!: string | null;

  /** Random; the same attachment id of another backup never refers to these bytes. */
  @Column({ type: 'varchar', length: 32 })
  storage_key!: string;

  /** Whether there is a thumbnail, under `storage_key` with a suffix. */
  @Column({ type: 'boolean' })
  has_thumbnail!: boolean;

  /** Size of the picture of a user or a group that was made of it; null: none was. */
  @Column({ type: 'int', nullable: true })
  avatar_bytes!: number | null;

  /** Number of messages and pictures of users and groups that refer to it. */
  @Column({ type: 'int', default: 0 })
  use_count!: number;

  /** When it may be deleted, if its `use_count` is 0 then. */
  @TimestampColumn()
  sweep_at!: Date;

  @TimestampColumn()
  created_at!: Date;
}
