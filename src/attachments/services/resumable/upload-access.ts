import { rm } from 'node:fs/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../common/clock';
import { Transactions } from '../../../database/transactions';
import type { ResumableUploadEntity } from '../../entities/resumable-upload.entity';
import { FileStorage } from '../../storage/file-storage';
import { deleteResumableUpload, resumableUpload } from '../../store/resumable-uploads.store';
import { UploadSlots } from '../upload-slots';

/** Dependencies of every request that reads or writes resumable uploads. */
@Injectable()
export class UploadAccess {
  readonly #log = new Logger(UploadAccess.name);

  constructor(
    readonly transactions: Transactions,
    readonly storage: FileStorage,
    readonly clock: Clock,
    readonly slots: UploadSlots,
  ) {}

  find(id: string): Promise<ResumableUploadEntity | undefined> {
    return resumableUpload(this.transactions.read(), id);
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

  /** Deletes an upload with its bytes. */
  async remove(id: string): Promise<void> {
    await rm(await this.storage.resumableDraft(id), { force: true });
    await this.transactions.run((em) => deleteResumableUpload(em, id));
  }
}
