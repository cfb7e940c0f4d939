import { JsonObject, Text } from '../../common/input/fields';
import { RequestExample } from '../../openapi/request-example.decorator';
import { MAX_DATA_BYTES, type NotificationData } from '../rules/message';
import type { Role } from '../../common/auth/principal';
import { NamedRecipients, ToEveryone, ToRole } from './recipients';

/** Exactly one of `user_ids`, `broadcast` and `role` says who is meant. */
@RequestExample({ user_ids: [2, 3], type: 'system', title: '停水通知', content: '今晚十点至十二点停水' })
export class SendNotificationRequest {
  /** Whom it is for, at most 500; not together with `broadcast` or `role`. */
  @NamedRecipients()
  user_ids?: number[];

  /** true: every user that exists now. */
  @ToEveryone()
  broadcast?: boolean;

  /** Every user that exists now and has this stored role when its inbox is next looked at. */
  @ToRole()
  role?: Role;

  /**
   * Which kind it is, by any name of at most 50 characters.
   * @example "system"
   */
  @Text({ max: 50 })
  type!: string;

  /** A line that says what it is about, at most 100 characters. */
  @Text({ max: 100 })
  title!: string;

  /** What it says, at most 2,000 characters. */
  @Text({ max: 2000 })
  content!: string;

  /**
   * At most 100 characters: a key reaches a user once and for all, whatever its content, also after deletion.
   * @example "water-2026-01-31"
   */
  @Text({ max: 100, optional: true })
  dedupe_key?: string;

  /**
   * What it is about, for the programs that show it; kept as it is sent, at most 2,048 bytes of JSON.
   * @example {"building": 1}
   */
  @JsonObject({ maxBytes: MAX_DATA_BYTES, optional: true })
  data?: NotificationData;
}
