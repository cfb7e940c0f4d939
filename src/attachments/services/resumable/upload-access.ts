import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock';
import { Transactions } from '../../../database/transactions';
import type { ResumableUploadEntity } from '../../entities/resumable-upload.entity';
import { FileStorage } from '../../storage/file-storage';
import { resumableUpload } from '../../store/resumable-uploads.store';
import { UploadSlots } from '../upload-slots';

/** Dependencies of every request that reads or writes resumable uploads. */
@Injectable()
export class UploadAccess {
  constructor(
    readonly transactions: Transactions,
    readonly storage: FileStorage,
    readonly clock: Clock,
    readonly slots: UploadSlots,
  ) {}

  find(id: string): Promise<ResumableUploadEntity | undefined> {
    return resumableUpload(this.transactions.read(), id);
  }
}
