import { Text } from '../../common/input/fields';

export class MarkAllReadRequest {
  /**
   * Only notifications of this type; all when left out.
   * @example "system"
   */
  @Text({ max: 50, optional: true })
  type?: string;
}
