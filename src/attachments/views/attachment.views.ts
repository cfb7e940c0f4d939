import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { CONFIG, type Config } from '../../config/config';
import type { AttachmentResponse } from '../dto/attachment.dto';
import type { AttachmentEntity } from '../entities/attachment.entity';
import { expiryOf, signedPath, type Variant } from '../rules/signed-url.rules';

type DescribedFields = Pick<
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

/** The fields of an attachment that its response depends on. */
export interface DescribedAttachment extends DescribedFields {
  /** The image that a message shows before the video is played. */
  poster?: DescribedFields;
}

/** Builds attachments for users who may see them, with URLs that everybody who has one can use. */
@Injectable()
export class AttachmentViews {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  describe(attachment: DescribedAttachment): AttachmentResponse {
    const { publicUrl, filesSecret = '', urlSeconds } = this.config.attachments;
    const { id, type, name, size, mime_type, width, height, duration, poster } = attachment;
    const expires = expiryOf(this.clock.now(), urlSeconds);
    const urlOf = (described: DescribedFields, variant: Variant): string =>
      publicUrl + signedPath({ file: fileOf(described), variant, expires }, filesSecret);
    const picture = poster ?? attachment;
    return {
      id,
      type,
      name,
      size,
      mime_type,
      width,
      height,
      duration,
      preview: picture.preview,
      url: urlOf(attachment, 'file'),
      thumbnail_url: picture.has_thumbnail ? urlOf(picture, 'thumbnail') : null,
      poster_url: poster === undefined ? null : urlOf(poster, 'file'),
      expires_at: new Date(expires * 1000),
    };
  }
}

/** Returns the last segment of the path of a file's URL. */
export const fileOf = ({ id, extension }: Pick<AttachmentEntity, 'id' | 'extension'>): string =>
  `${id}.${extension}`;
