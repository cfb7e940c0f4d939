import { Timestamp } from '../../common/input/moment-fields';
import { RequestExample } from '../../openapi/request-example.decorator';

@RequestExample({ snooze_until: '2100-01-31T08:00:00.000Z' })
export class SnoozeRequest {
  /** Time in the future at which the notification comes back into the inbox, unread. */
  @Timestamp()
  snooze_until!: Date;
}
