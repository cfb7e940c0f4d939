import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import type { UserId } from '../../common/ids';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import type { AttachmentEntity } from '../entities/attachment.entity';
import { signedPath } from '../rules/signed-url.rules';
import { FileStorage } from '../storage/file-storage';
import { attachmentById } from '../store/attachment.store';
import type { MadeAvatar } from '../store/avatar-uses.store';
import { fileOf } from '../views/attachment.views';
import { avatarKey } from './attachment-intake';
import { makeAvatar, sizeOf } from './pictures';

/** A picture of a user or a group, whose use `addAvatarUse` stores. */
export interface Avatar extends MadeAvatar {
  /** URL that does not expire. */
  url: string;
}

/** Makes pictures of users and groups of uploaded images (API 17.7). */
@Injectable()
export class AvatarsService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly transactions: Transactions,
    /** Undefined if attachments are disabled. */
    @Optional() private readonly storage?: FileStorage,
  ) {}

  /**
   * Makes a WebP of 256 × 256 pixels of a user's own image and stores it beside the image. Called before the transaction
   * that uses it; without a use it is deleted with the image.
   * @param attachmentId undefined: there is no picture to make
   * @throws {BusinessError} ATTACHMENT_NOT_FOUND (unknown, deleted, or of another user), VALIDATION (no image)
   */
  make(userId: UserId, attachmentId: number): Promise<Avatar>;
  make(userId: UserId, attachmentId: number | undefined): Promise<Avatar | undefined>;
  async make(userId: UserId, attachmentId: number | undefined): Promise<Avatar | undefined> {
    if (attachmentId === undefined) return undefined;
    const attachment = await attachmentById(this.transactions.read(), attachmentId);
    const isOwn = attachment?.status === 'ready' && attachment.user_id === userId;
    if (!isOwn || this.storage === undefined) throw new BusinessError('ATTACHMENT_NOT_FOUND');
    if (attachment.type !== 'image') throw invalidField('avatar_attachment_id', 'invalid');
    const { publicUrl, filesSecret = '' } = this.config.attachments;
    const file = fileOf(attachment);
    const bytes = attachment.avatar_bytes ?? (await this.#store(attachment, this.storage));
    const url = publicUrl + signedPath({ file, variant: 'avatar', expires: null }, filesSecret);
    return { attachmentId, bytes, url };
  }

  async #store(attachment: AttachmentEntity, storage: FileStorage): Promise<number> {
    const draft = await storage.draft();
    const target = `${draft}.avatar`;
    try {
      const source = await storage.open(attachment.storage_key, undefined);
      await pipeline(source, createWriteStream(draft, { flags: 'wx', mode: 0o600 }));
      await makeAvatar(draft, target);
      const bytes = await sizeOf(target);
      await storage.put(avatarKey(attachment), target);
      return bytes;
    } catch (cause) {
      throw cause instanceof BusinessError ? cause : new BusinessError('UNAVAILABLE', { cause });
    } finally {
      for (const path of [draft, target]) await rm(path, { force: true });
    }
  }
}
