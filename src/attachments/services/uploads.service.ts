import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import type { UserId } from '../../common/ids';
import { toDto } from '../../common/input/dto.pipe';
import { digitsAsNumber } from '../../common/input/fields';
import { CONFIG, type Config } from '../../config/config';
import { type AttachmentResponse, UploadRequest } from '../dto/attachment.dto';
import { FileStorage } from '../storage/file-storage';
import { AttachmentViews } from '../views/attachment.views';
import { AttachmentIntake } from './attachment-intake';
import { receiveForm } from './upload-form';
import { UploadSlots } from './upload-slots';

/** Receives files that clients upload as forms (API 17.2). */
@Injectable()
export class UploadsService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly storage: FileStorage,
    private readonly intake: AttachmentIntake,
    private readonly views: AttachmentViews,
    private readonly slots: UploadSlots,
  ) {}

  /**
   * Receives the file of a request and stores it.
   * @throws {BusinessError} the errors of `receiveForm` and of `AttachmentIntake.accept`; VALIDATION for another field;
   *   UNAVAILABLE while 20 uploads are running, or six of this user
   */
  upload(userId: UserId, request: IncomingMessage): Promise<AttachmentResponse> {
    return this.slots.run(
      { userId, by: 'form' },
      () => this.#receive(userId, request),
      ({ size }) => size,
    );
  }

  async #receive(userId: UserId, request: IncomingMessage): Promise<AttachmentResponse> {
    const draft = await this.storage.draft().catch((cause: unknown) => {
      throw new BusinessError('UNAVAILABLE', { cause });
    });
    try {
      const { fields, file } = await receiveForm(request, draft, this.config.attachments.maxBytes);
      const dto = await toDto(UploadRequest, { ...fields, duration: digitsAsNumber(fields['duration']) });
      if (file === undefined) throw invalidField('file', 'required');
      return this.views.describe(await this.intake.accept(userId, dto, { draft, ...file }));
    } finally {
      await rm(draft, { force: true });
    }
  }
}
