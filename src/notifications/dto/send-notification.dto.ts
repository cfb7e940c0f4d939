import { checked } from '../../common/input/checked';
import { Flag, Text } from '../../common/input/fields';
import { JsonObject } from '../../common/input/json-field';
import { RequestExample } from '../../openapi/request-example.decorator';
import { MAX_DATA_BYTES, type NotificationData } from '../rules/notification-content.rules';
import { checkActions } from './actions';
import type { Role } from '../../common/auth/principal';
import { NamedRecipients, ToEveryone, ToRole } from './recipients';

/** Exactly one of `user_ids`, `broadcast` and `role` selects the recipients. */
@RequestExample({ user_ids: [2, 3], type: 'system', title: '停水通知', content: '今晚十点至十二点停水' })
export class SendNotificationRequest {
  /** Ids of the recipients, at most 500; not together with `broadcast` or `role`. */
  @NamedRecipients()
  user_ids?: number[];

  /** true: to all users that exist now. */
  @ToEveryone()
  broadcast?: boolean;

  /** To all users that exist now, if they have this stored role when their inbox is next read. */
  @ToRole()
  role?: Role;

  /**
   * Type: any name of at most 50 characters.
   * @example "system"
   */
  @Text({ max: 50 })
  type!: string;

  /** Heading of the notification, at most 100 characters. */
  @Text({ max: 100 })
  title!: string;

  /** Text of the notification, at most 2,000 characters. */
  @Text({ max: 2000 })
  content!: string;

  /**
   * Deduplication key, at most 100 characters. A key reaches a user only once, regardless of the content, even after
   * the notification is deleted.
   * @example "water-2026-01-31"
   */
  @Text({ max: 100, optional: true })
  dedupe_key?: string;

  /**
   * Machine-readable data for clients, stored unchanged; at most 2,048 bytes of JSON. `actions`, if any, are links to show
   * with it: at most 3 of `id`, `label` (at most 40 characters) and `url` (http, https, or a path of the web app).
   * @example {"building": 1}
   */
  @JsonObject({ maxBytes: MAX_DATA_BYTES, optional: true })
  @checked(checkActions)
  data?: NotificationData;

  /** true: overrides the preferences of the recipients, such as quiet hours. */
  @Flag({ optional: true })
  critical?: boolean;
}
