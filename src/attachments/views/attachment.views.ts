import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { CONFIG, type Config } from '../../config/config';
import type { AttachmentResponse } from '../dto/attachment.dto';
import type { AttachmentEntity } from '../entities/attachment.entity';
import { expiryOf, signedPath } from '../rules/signed-url.rules';

/** The fields of an attachment that its response depends on. */
export type DescribedAttachment = Pick<
  AttachmentEntity,
  | 'id'
  | 'type'
  | 'name'
  | 'extension'
  | 'size'
  | 'mime_type'
  | 'width'
  | 'height'
  | 'duration'
  | 'preview'
  | 'has_thumbnail'
>;

/** Builds attachments for users who may see them, with URLs that everybody who has one can use. */
@Injectable()
export class AttachmentViews {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  describe(attachment: DescribedAttachment): AttachmentResponse {
    const { publicUrl, filesSecret = '', urlSeconds } = this.config.attachments;
    const { id, type, name, size, mime_type, width, height, duration, preview } = attachment;
    const file = fileOf(attachment);
    const expires = expiryOf(this.clock.now(), urlSeconds);
    const url = signedPath({ file, variant: 'file', expires }, filesSecret);
    const thumbnail = attachment.has_thumbnail
      ? signedPath({ file, variant: 'thumbnail', expires }, filesSecret)
      : undefined;
    return {
      id,
      type,
      name,
      size,
      mime_type,
      width,
      height,
      duration,
      preview,
      url: publicUrl + url,
      thumbnail_url: thumbnail === undefined ? null : publicUrl + thumbnail,
      expires_at: new Date(expires * 1000),
    };
  }
}

/** Returns the last segment of the path of a file's URL. */
export const fileOf = ({ id, extension }: Pick<AttachmentEntity, 'id' | 'extension'>): string =>
  `${id}.${extension}`;
