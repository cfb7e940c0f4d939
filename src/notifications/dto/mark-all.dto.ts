import { Text } from '../../common/http/fields';

export class MarkAllBody {
  /** Only notifications of this type. */
  @Text({ max: 50, optional: true })
  type?: string;
}
