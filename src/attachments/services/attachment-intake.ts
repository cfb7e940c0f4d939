import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { recordAudit } from '../../audit/recording/record-audit';
import { Clock, plusSeconds } from '../../common/clock';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import type { UserId } from '../../common/ids';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import type { UploadRequest } from '../dto/attachment.dto';
import type { AttachmentEntity } from '../entities/attachment.entity';
import { safeFileName } from '../rules/file-name.rules';
import { type FileKind, kindOf } from '../rules/file-types.rules';
import { FileStorage } from '../storage/file-storage';
import {
  changeStatus,
  deleteAttachment,
  insertAttachment,
  releaseBytes,
  reserveBytes,
} from '../store/attachment.store';
import { FileScanner } from './file-scanner';
import { convertPicture, sizeOf } from './pictures';

/** Time after which a row whose bytes are not stored is deleted. Must exceed the longest upload. */
const UNFINISHED_SECONDS = 3_600;
/** Time in which an uploaded file must be sent. */
const UNSENT_SECONDS = 86_400;
const STORAGE_KEY_BYTES = 16;

/** An uploaded file, complete on this machine's disk. */
export interface UploadedFile {
  /** Path of the file. */
  draft: string;
  /** Name as the client sent it. */
  name: string | undefined;
  /** Called in the transaction that makes the attachment ready. An error rolls it back. */
  onReady?: (em: EntityManager, attachmentId: number) => Promise<void>;
}

/** The files to store for an attachment, and its fields that depend on their bytes. */
interface Examined extends Pick<AttachmentEntity, 'width' | 'height' | 'preview'> {
  kind: FileKind;
  path: string;
  thumbnail?: string;
}

/** Returns the storage key of a thumbnail. */
export const thumbnailKey = ({ storage_key }: Pick<AttachmentEntity, 'storage_key'>): string =>
  `${storage_key}-thumbnail`;

/** Returns the storage key of the picture of a user or a group that is made of an image. */
export const avatarKey = ({ storage_key }: Pick<AttachmentEntity, 'storage_key'>): string =>
  `${storage_key}-avatar`;

/** Examines uploaded files, however they arrived, and stores those that are accepted. */
@Injectable()
export class AttachmentIntake {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly storage: FileStorage,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly scanner: FileScanner,
  ) {}

  /**
   * Examines a file and stores it. Its row is written before its bytes; a failure leaves neither. The caller deletes the
   * draft.
   * @throws {BusinessError} VALIDATION (`file` is empty, infected or not of this type), STORAGE_FULL (the user's quota),
   *   UNAVAILABLE (the storage is full or unavailable)
   */
  async accept(userId: UserId, fields: UploadRequest, file: UploadedFile): Promise<AttachmentEntity> {
    try {
      return await this.#store(userId, fields, file, await this.#examine(fields, file));
    } finally {
      for (const kind of ['picture', 'thumbnail']) await rm(`${file.draft}.${kind}`, { force: true });
    }
  }

  async #examine({ type }: UploadRequest, { draft, name }: UploadedFile): Promise<Examined> {
    const size = await sizeOf(draft);
    if (size === 0) throw invalidField('file', 'required');
    await this.scanner.assertClean(draft, size);
    const { fileTypeFromFile } = await import('file-type');
    const kind = kindOf(type, (await fileTypeFromFile(draft))?.mime, safeFileName(name));
    if (kind === undefined) throw invalidField('file', 'invalid');
    if (kind.type !== 'image') return { kind, path: draft, width: null, height: null, preview: null };
    const targets = { picture: `${draft}.picture`, thumbnail: `${draft}.thumbnail` };
    const { width, height, preview = null } = await convertPicture(draft, targets);
    return { kind, path: targets.picture, thumbnail: targets.thumbnail, width, height, preview };
  }

  async #store(
    userId: UserId,
    { duration = null }: { duration?: number | null },
    { name, onReady }: UploadedFile,
    { kind, path, thumbnail, ...picture }: Examined,
  ): Promise<AttachmentEntity> {
    const size = await sizeOf(path);
    const now = this.clock.now();
    const row: Omit<AttachmentEntity, 'id'> = {
      ...picture,
      user_id: userId,
      status: 'uploading',
      type: kind.type,
      name: safeFileName(name),
      extension: kind.extension,
      mime_type: kind.mimeType,
      size,
      stored_bytes: size + (thumbnail === undefined ? 0 : await sizeOf(thumbnail)),
      duration: kind.type === 'audio' || kind.type === 'video' ? duration : null,
      storage_key: randomBytes(STORAGE_KEY_BYTES).toString('hex'),
      has_thumbnail: thumbnail !== undefined,
      avatar_bytes: null,
      use_count: 0,
      sweep_at: plusSeconds(now, UNFINISHED_SECONDS),
      created_at: now,
    };
    const attachment = { id: await this.#insert(row), ...row };
    try {
      await this.storage.put(row.storage_key, path);
      if (thumbnail !== undefined) await this.storage.put(thumbnailKey(row), thumbnail);
      const ready = { status: 'ready', sweep_at: plusSeconds(now, UNSENT_SECONDS) } as const;
      const isStored = await this.transactions.run(async (em) => {
        const isReady = await changeStatus(em, attachment.id, 'uploading', ready);
        if (isReady) await onReady?.(em, attachment.id);
        if (isReady) auditUpload(em, attachment);
        return isReady;
      });
      if (!isStored) throw new Error('The sweep has deleted an attachment whose upload took too long');
      return Object.assign(attachment, ready);
    } catch (cause) {
      await this.#discard(attachment);
      throw new BusinessError('UNAVAILABLE', { cause });
    }
  }

  #insert(row: Omit<AttachmentEntity, 'id'>): Promise<number> {
    const { quotaBytes } = this.config.attachments;
    return this.transactions.run(async (em) => {
      if (!(await reserveBytes(em, row.user_id, row.stored_bytes, quotaBytes)))
        throw new BusinessError('STORAGE_FULL');
      return insertAttachment(em, row);
    });
  }

  /**
   * Deletes the bytes and the row of an attachment that was never ready. If the storage is unavailable, the sweep deletes
   * them, but they no longer count for the quota; if the database is, they count until the sweep.
   */
  async #discard(attachment: AttachmentEntity): Promise<void> {
    const now = this.clock.now();
    await this.deleteBytes(attachment)
      .then(
        () => this.transactions.run((em) => deleteAttachment(em, attachment)),
        () => this.transactions.run((em) => releaseBytes(em, attachment, now)),
      )
      .catch(() => undefined);
  }

  /** Deletes the bytes of an attachment. Succeeds if there are none. */
  async deleteBytes(attachment: AttachmentEntity): Promise<void> {
    if (attachment.has_thumbnail)
      for (const key of [thumbnailKey(attachment), avatarKey(attachment)]) await this.storage.delete(key);
    await this.storage.delete(attachment.storage_key);
  }
}

/** Writes no name, which is content of the user. */
const auditUpload = (em: EntityManager, { id, type, mime_type, size }: AttachmentEntity): void =>
  recordAudit(em, { object_id: id, before: null, after: { type, mime_type, size } });
