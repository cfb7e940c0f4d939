import { OneOf } from '../../common/input/fields';
import { CalendarDay } from '../../common/input/moment-fields';
import { LocalDay, Share } from '../../openapi/response-fields';
import { MEDIA, type Media } from '../rules/call-figures.rules';
import { StorageResponse } from './storage.dto';

/** GET /api/admin/stats/calls (API 15.3). */
export class CallStatisticsQuery {
  /**
   * The first day, in `APP_TIMEZONE`. Default: 29 days before `to`.
   * @example "2026-01-02"
   */
  @CalendarDay()
  from?: string;

  /**
   * The last day, included. Default: today. A range has at most 366 days.
   * @example "2026-01-31"
   */
  @CalendarDay()
  to?: string;

  /** Only calls of this media type. */
  @OneOf(MEDIA, { optional: true })
  media_type?: Media;
}

/** Number of answered calls by their duration, in whole seconds from the answer to the end. */
export class CallLengthsResponse {
  /**
   * Up to 10 seconds.
   * @example 2
   */
  to_10s!: number;
  /**
   * Up to a minute.
   * @example 5
   */
  to_1m!: number;
  /**
   * Up to 5 minutes.
   * @example 11
   */
  to_5m!: number;
  /**
   * Up to 30 minutes.
   * @example 3
   */
  to_30m!: number;
  /**
   * More than 30 minutes.
   * @example 1
   */
  more!: number;
}

/** Call statistics. A call counts once it has ended, on the day on which it was created. */
export class CallFiguresResponse {
  /**
   * All calls, including attempts that found the callee busy.
   * @example 40
   */
  created!: number;
  /**
   * Answered calls.
   * @example 22
   */
  answered!: number;
  /**
   * Calls that the callee declined.
   * @example 4
   */
  rejected!: number;
  /**
   * Calls that the caller or an administrator ended while they were ringing.
   * @example 6
   */
  cancelled!: number;
  /**
   * Calls that rang until their ring time-out.
   * @example 5
   */
  no_answer!: number;
  /**
   * Attempts that found the callee in another call.
   * @example 3
   */
  busy!: number;
  /**
   * Calls that the callee neither answered nor declined: `cancelled`, `no_answer` and `busy`.
   * @example 14
   */
  missed!: number;
  /**
   * Share of calls that were answered, from 0 to 1 with four decimals; null without calls.
   * @example 0.55
   */
  @Share()
  answer_rate!: number | null;
  /**
   * Total ring time of answered calls, in whole seconds.
   * @example 190
   */
  ring_seconds!: number;
  /**
   * Total duration of answered calls from the answer on, in whole seconds.
   * @example 7320
   */
  talk_seconds!: number;
  /** Number of answered calls by duration. */
  lengths!: CallLengthsResponse;
}

/** Call statistics of a day. */
export class CallDayResponse extends CallFiguresResponse {
  /**
   * A day of `APP_TIMEZONE`.
   * @example "2026-01-31"
   */
  @LocalDay()
  day!: string;
}

/** Call statistics of each day of a range, and of the whole range. */
export class CallStatisticsResponse {
  /** Each day of the range, in order; all values are zero for days without calls. */
  days!: CallDayResponse[];
  /** All days together. */
  total!: CallFiguresResponse;
}

/** Current counts, for all instances. */
export class PresentFiguresResponse {
  /**
   * Calls that are ringing.
   * @example 2
   */
  calls_ringing!: number;
  /**
   * Answered calls that have not ended.
   * @example 17
   */
  calls_ongoing!: number;
  /**
   * Open event streams; each instance reports its number every few seconds.
   * @example 240
   */
  streams!: number;
  /**
   * Online users, each once regardless of their number of terminals; null where `PRESENCE` is `off`.
   * @example 180
   */
  users_online!: number | null;
  /**
   * Devices that are online.
   * @example 0
   */
  devices_online!: number;
}

/** Total numbers of stored objects. */
export class TotalsResponse {
  /**
   * Users; up to a minute behind.
   * @example 1200
   */
  users!: number;
  /**
   * Devices, including those in no group.
   * @example 350
   */
  devices!: number;
  /**
   * Device groups at all levels.
   * @example 40
   */
  groups!: number;
}

/** Main metrics of a day. */
export class OverviewDayResponse {
  /**
   * A day of `APP_TIMEZONE`.
   * @example "2026-01-31"
   */
  @LocalDay()
  day!: string;
  /**
   * Calls that were created on this day and have ended.
   * @example 40
   */
  calls!: number;
  /**
   * Calls that were created on this day and answered.
   * @example 22
   */
  answered!: number;
  /**
   * Messages that users sent on this day; up to a minute behind.
   * @example 310
   */
  messages!: number;
  /**
   * Users who sent a request or had an event stream open on this day.
   * @example 95
   */
  active_users!: number;
  /**
   * Users created on this day; up to a minute behind.
   * @example 3
   */
  new_users!: number;
}

/** Overview of the whole service. */
export class OverviewResponse {
  /** Current counts, for all instances. */
  now!: PresentFiguresResponse;
  /** Total numbers of stored objects. */
  totals!: TotalsResponse;
  /** Uploaded files; null where attachments are disabled. */
  storage!: StorageResponse | null;
  /** The current day. */
  today!: OverviewDayResponse;
  /** The last 30 days in order, ending with today. */
  days!: OverviewDayResponse[];
}
