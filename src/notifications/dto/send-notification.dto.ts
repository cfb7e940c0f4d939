import { JsonObject, Text } from '../../common/input/fields';
import { MAX_DATA_BYTES, type NotificationData } from '../rules/message';
import { NamedRecipients, ToEveryone } from './recipients';

/** Exactly one of `user_ids` and `broadcast` says who is meant. */
export class SendNotificationRequest {
  @NamedRecipients()
  user_ids?: number[];

  /** true: every user that exists now. */
  @ToEveryone()
  broadcast?: boolean;

  @Text({ max: 50 })
  type!: string;

  @Text({ max: 100 })
  title!: string;

  @Text({ max: 2000 })
  content!: string;

  /** A key reaches a user once and for all, whatever its content, also after deletion. */
  @Text({ max: 100, optional: true })
  dedupe_key?: string;

  /** What it is about, for the programs that show it; kept as it is sent. */
  @JsonObject({ maxBytes: MAX_DATA_BYTES, optional: true })
  data?: NotificationData;
}
