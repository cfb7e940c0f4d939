import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { BusinessError } from '../../../common/errors/business-error';
import type { UserId } from '../../../common/ids';
import type { AttachmentEntity } from '../../entities/attachment.entity';
import type { ResumableUploadEntity } from '../../entities/resumable-upload.entity';
import { attachmentById } from '../../store/attachment.store';
import { changeLocked } from '../../store/resumable-uploads.store';
import { AttachmentIntake } from '../attachment-intake';
import { UploadAccess } from './upload-access';
import { type UploadLock, UploadLocks } from './upload-locks';
import { parseMetadata, readFields } from './upload-metadata';

/** Makes attachments of complete uploads. */
@Injectable()
export class UploadCompletion {
  constructor(
    private readonly access: UploadAccess,
    private readonly locks: UploadLocks,
    private readonly intake: AttachmentIntake,
  ) {}

  /**
   * Makes an attachment of a complete upload, or returns the one that was made of it: a client that did not receive the
   * response sends an empty PATCH. A file that is not accepted is deleted; while the storage or the scanner is
   * unavailable, it is kept.
   */
  async finish(userId: UserId, id: string): Promise<AttachmentEntity> {
    const lock = await this.locks.take(id, () => undefined);
    if (lock === undefined) throw new BusinessError('ATTACHMENT_NOT_FOUND');
    try {
      const upload = await this.access.find(id);
      if (upload === undefined) throw new BusinessError('ATTACHMENT_NOT_FOUND');
      return await (upload.attachment_id === null
        ? this.#accept(userId, upload, lock)
        : this.#accepted(upload.attachment_id));
    } finally {
      await lock.release();
    }
  }

  async #accepted(attachmentId: number): Promise<AttachmentEntity> {
    const attachment = await attachmentById(this.access.transactions.read(), attachmentId);
    if (attachment?.status !== 'ready') throw new BusinessError('ATTACHMENT_NOT_FOUND');
    return attachment;
  }

  async #accept(
    userId: UserId,
    { id, metadata }: ResumableUploadEntity,
    { token }: UploadLock,
  ): Promise<AttachmentEntity> {
    const draft = await this.access.storage.resumableDraft(id);
    // Another instance has the file, or it was deleted: the client starts again.
    if (!existsSync(draft)) throw new BusinessError('ATTACHMENT_NOT_FOUND');
    const sent = parseMetadata(metadata);
    try {
      const attachment = await this.intake.accept(userId, await readFields(sent), {
        draft,
        name: sent['filename'] ?? undefined,
        onReady: async (em, attachmentId) => {
          const isLocked = await changeLocked(em, { id, token }, { attachment_id: attachmentId });
          if (!isLocked) throw new Error('Another request finishes the upload');
        },
      });
      await rm(draft, { force: true });
      return attachment;
    } catch (error) {
      if (error instanceof BusinessError && error.key !== 'UNAVAILABLE') await this.access.remove(id);
      throw error;
    }
  }
}
