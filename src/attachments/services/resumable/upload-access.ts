import { rm } from 'node:fs/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Upload } from '@tus/server';
import { Clock, plusSeconds } from '../../../common/clock';
import { BusinessError, invalidField } from '../../../common/errors/business-error';
import type { UserId } from '../../../common/ids';
import { CONFIG, type Config } from '../../../config/config';
import { Transactions } from '../../../database/transactions';
import { MAX_METADATA, type ResumableUploadEntity } from '../../entities/resumable-upload.entity';
import { FileStorage } from '../../storage/file-storage';
import {
  deleteResumableUpload,
  insertResumableUpload,
  lockPendingUploads,
  resumableUpload,
} from '../../store/resumable-uploads.store';
import { readFields } from './upload-metadata';

/** Time after its creation in which an upload can be continued. */
const EXPIRY_SECONDS = 86_400;
/** Uploads of a user that are not complete. */
const MAX_PENDING = 100;

/** Rows and drafts of resumable uploads. */
@Injectable()
export class UploadAccess {
  readonly #log = new Logger(UploadAccess.name);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    readonly transactions: Transactions,
    readonly storage: FileStorage,
    readonly clock: Clock,
  ) {}

  find(id: string): Promise<ResumableUploadEntity | undefined> {
    return resumableUpload(this.transactions.read(), id);
  }

  /**
   * Inserts the row of an upload.
   * @throws {BusinessError} VALIDATION (the metadata, or there is no byte), STORAGE_FULL: with this one, the user's
   *   files and incomplete uploads would exceed the quota, or there are 100 of them
   */
  async create(userId: UserId, { id, size = 0, metadata = {} }: Upload): Promise<void> {
    if (size === 0) throw invalidField('file', 'required');
    await readFields(metadata);
    const stored = JSON.stringify(metadata);
    if (stored.length > MAX_METADATA) throw invalidField('file', 'invalid');
    const row: ResumableUploadEntity = {
      id,
      user_id: userId,
      size,
      received: 0,
      metadata: stored,
      attachment_id: null,
      lock_token: null,
      locked_until: null,
      is_lock_wanted: false,
      expires_at: plusSeconds(this.clock.now(), EXPIRY_SECONDS),
    };
    const { quotaBytes } = this.config.attachments;
    await this.transactions.run(async (em) => {
      const { count, bytes } = await lockPendingUploads(em, userId);
      if (count >= MAX_PENDING || (quotaBytes > 0 && bytes + size > quotaBytes))
        throw new BusinessError('STORAGE_FULL');
      await insertResumableUpload(em, row);
    });
  }

  /** Deletes an upload with its bytes, unless it is complete. A failure leaves it to the job `attachment_sweep`. */
  async discard(id: string): Promise<void> {
    try {
      const upload = await this.find(id);
      if (upload?.attachment_id !== null) return;
      await this.remove(id);
    } catch (error) {
      this.#log.warn(
        `Failed to delete an upload that failed, it is deleted when it expires: ${String(error)}`,
      );
    }
  }

  /**
   * Deletes an upload with its bytes. The draft is deleted before the row, because a draft without a row is found only
   * after two days.
   */
  async remove(id: string): Promise<void> {
    await rm(await this.storage.resumableDraft(id), { force: true });
    await this.transactions.run((em) => deleteResumableUpload(em, id));
  }
}
