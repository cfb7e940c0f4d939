import { OneOf, Integer } from '../../common/input/fields';
import { OneOfTexts, TimestampField } from '../../openapi/response-fields';
import { ATTACHMENT_TYPES, type AttachmentType } from '../rules/file-types.rules';

const DAY_SECONDS = 86_400;

/** Fields of an upload besides the file. */
export class UploadRequest {
  /** Type of the message in which the file is sent. */
  @OneOf(ATTACHMENT_TYPES)
  type!: AttachmentType;

  /**
   * Duration of a recording in seconds, 0 to 86400; ignored for images and files.
   * @example 12
   */
  @Integer({ min: 0, max: DAY_SECONDS, optional: true })
  duration?: number;
}

/** An uploaded file. */
export class AttachmentResponse {
  id!: number;
  /** Type under which it can be sent. A HEIC picture becomes a `file`. */
  @OneOfTexts(...ATTACHMENT_TYPES)
  type!: AttachmentType;
  /**
   * The name without its path.
   * @example "报告.pdf"
   */
  name!: string;
  /**
   * Size in bytes; of a picture after its conversion.
   * @example 48213
   */
  size!: number;
  /**
   * Media type by the bytes; null: unknown.
   * @example "image/jpeg"
   */
  mime_type!: string | null;
  /**
   * Width of a picture in pixels; otherwise null.
   * @example 1280
   */
  width!: number | null;
  /**
   * Height of a picture in pixels; otherwise null.
   * @example 720
   */
  height!: number | null;
  /**
   * Duration of a recording in seconds, as the client stated it; otherwise null.
   * @example 12
   */
  duration!: number | null;
  /**
   * A data URL of a WebP of at most 32 pixels a side, to show until the picture or the poster of a video is loaded; otherwise
   * null.
   * @example "data:image/webp;base64,UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"
   */
  preview!: string | null;
  /**
   * URL of the file, which requires no token and expires.
   * @example "https://api.example/files/12.jpg?expires=1769904000&signature=x"
   */
  url!: string;
  /**
   * URL of a WebP of at most 480 pixels a side, made of the picture or the poster of a video; otherwise null.
   * @example "https://api.example/files/12.jpg?variant=thumbnail&expires=1769904000&signature=x"
   */
  thumbnail_url!: string | null;
  /**
   * URL of the picture to show before a video is played, in a message that was sent with `poster_attachment_id`; otherwise
   * null.
   * @example "https://api.example/files/11.jpg?expires=1769904000&signature=x"
   */
  poster_url!: string | null;
  /** When the URLs expire. Newer URLs are in every response that contains the attachment. */
  @TimestampField()
  expires_at!: Date;
}
