import { Injectable } from '@nestjs/common';
import { Clock, plusSeconds } from '../../common/clock';
import { repeatWhile } from '../../common/jobs/periodic-job';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { Transactions } from '../../database/transactions';
import type { AttachmentEntity } from '../entities/attachment.entity';
import { FileStorage } from '../storage/file-storage';
import { changeStatus, deleteAttachment, sweepable } from '../store/attachment.store';
import { expiredUploads } from '../store/resumable-uploads.store';
import { AttachmentIntake } from './attachment-intake';
import { UploadAccess } from './resumable/upload-access';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 100;
/** Time after which another attempt is made if the bytes could not be deleted. */
const RETRY_SECONDS = 600;
/** Files of unfinished uploads are deleted after this time. Must exceed the longest upload. */
const DRAFT_SECONDS = 3_600;
/** The same for resumable uploads, whose rows expire after a day. */
const RESUMABLE_DRAFT_SECONDS = 172_800;

/**
 * Deletes attachments that are not in use: those that were not sent within 24 h, those whose last message was recalled,
 * and uploads that were never finished or have expired. Safe to run on several instances concurrently: a conditional UPDATE claims each
 * attachment, and a message that is sent at the same time either prevents that or gets a 404.
 */
@Injectable()
export class AttachmentSweep {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly storage: FileStorage,
    private readonly intake: AttachmentIntake,
    private readonly uploads: UploadAccess,
  ) {}

  @Periodic({
    name: 'attachment_sweep',
    everyMs: INTERVAL_MS,
    onFailure: 'Failed to delete unused attachments, retrying on the next run',
  })
  async sweep(stopping?: AbortSignal): Promise<void> {
    await this.#deleteDrafts();
    await repeatWhile(async () => {
      const expired = await expiredUploads(this.transactions.read(), this.clock.now(), BATCH_SIZE);
      for (const { id } of expired) await this.uploads.remove(id);
      return expired.length === BATCH_SIZE;
    }, stopping);
    await repeatWhile(async () => {
      const attachments = await sweepable(this.transactions.read(), this.clock.now(), BATCH_SIZE);
      for (const attachment of attachments) await this.#delete(attachment);
      return attachments.length === BATCH_SIZE;
    }, stopping);
  }

  async #deleteDrafts(): Promise<void> {
    const now = this.clock.now();
    await this.storage.deleteDrafts({
      draft: plusSeconds(now, -DRAFT_SECONDS),
      resumable: plusSeconds(now, -RESUMABLE_DRAFT_SECONDS),
    });
  }

  /** Marks the row, then deletes the bytes, then the row: bytes without a row would never be found. */
  async #delete(attachment: AttachmentEntity): Promise<void> {
    const claim = { status: 'deleted', sweep_at: plusSeconds(this.clock.now(), RETRY_SECONDS) } as const;
    const isClaimed = await this.transactions.run((em) =>
      changeStatus(em, attachment.id, attachment.status, claim),
    );
    if (!isClaimed) return;
    await this.intake.deleteBytes(attachment);
    await this.transactions.run((em) => deleteAttachment(em, attachment));
  }
}
