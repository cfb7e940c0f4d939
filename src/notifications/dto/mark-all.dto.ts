import { Text } from '../../common/input/fields';

export class MarkAllReadRequest {
  /**
   * Only notifications of this type; omitted: all types.
   * @example "system"
   */
  @Text({ max: 50, optional: true })
  type?: string;
}
