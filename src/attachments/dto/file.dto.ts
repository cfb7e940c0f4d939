import { Text } from '../../common/input/fields';

const MAX_PARAMETER = 100;

/** The signed query of the URL of a file. */
export class FileQuery {
  /**
   * Expiry of the URL, in seconds since 1970.
   * @example "1769904000"
   */
  @Text({ max: MAX_PARAMETER, optional: true })
  expires?: string;

  /**
   * `thumbnail` for the thumbnail of a picture.
   * @example "thumbnail"
   */
  @Text({ max: MAX_PARAMETER, optional: true })
  variant?: string;

  /**
   * Signature of the URL.
   * @example "x"
   */
  @Text({ max: MAX_PARAMETER, optional: true })
  signature?: string;
}
