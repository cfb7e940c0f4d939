import { PageNumber, PerPage, QueryOneOf, Text } from '../../common/input/fields';

export class ListNotificationsQuery {
  @PageNumber()
  page!: number;

  @PerPage(15)
  per_page!: number;

  /**
   * Only notifications of this type; an unknown type matches nothing.
   * @example "system"
   */
  @Text({ max: 50, optional: true })
  type?: string;

  /** 0: only unread, 1: only read. */
  @QueryOneOf([0, 1])
  is_read?: number;

  /** 1: archived and snoozed notifications; 0 or omitted: all others. */
  @QueryOneOf([0, 1])
  archived?: number;
}
