import { OneOf } from '../../common/input/fields';
import { CalendarDay } from '../../common/input/moment-fields';
import { LocalDay, Share } from '../../openapi/response-fields';
import { MEDIA, type Media } from '../rules/call-figures';
import type { CallStatistics } from '../rules/call-statistics';

/** GET /api/admin/stats/calls (contract 14.2). */
export class CallStatisticsQuery {
  /**
   * The first day, one of `APP_TIMEZONE`; left out: 29 days before the last one.
   * @example "2026-01-02"
   */
  @CalendarDay()
  from?: string;

  /**
   * The last day, which is included; left out: today. A range has at most 366 days.
   * @example "2026-01-31"
   */
  @CalendarDay()
  to?: string;

  /** Only the calls of this kind. */
  @OneOf(MEDIA, { optional: true })
  media_type?: Media;
}

/** How long answered calls lasted, in whole seconds from the answer to the end. */
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
   * More than that.
   * @example 1
   */
  more!: number;
}

/** Figures of calls. A call counts on the day on which it was made, when it is over. */
export class CallFiguresResponse implements CallStatistics {
  /**
   * All calls, attempts that found their callee busy among them.
   * @example 40
   */
  created!: number;
  /**
   * Those that were answered.
   * @example 22
   */
  answered!: number;
  /**
   * Those that the callee declined.
   * @example 4
   */
  rejected!: number;
  /**
   * Those that ended while they rang: by the caller, or by an administrator.
   * @example 6
   */
  cancelled!: number;
  /**
   * Those that rang until nobody was expected to answer any more.
   * @example 5
   */
  no_answer!: number;
  /**
   * Attempts that found their callee in another call.
   * @example 3
   */
  busy!: number;
  /**
   * Those that the callee neither answered nor declined.
   * @example 14
   */
  missed!: number;
  /**
   * How many of all were answered, from 0 to 1 with four decimals; null when there was none.
   * @example 0.55
   */
  @Share()
  answer_rate!: number | null;
  /**
   * How long answered calls rang, in whole seconds, together.
   * @example 190
   */
  ring_seconds!: number;
  /**
   * How long answered calls lasted from the answer on, in whole seconds, together.
   * @example 7320
   */
  talk_seconds!: number;
  /** How many answered calls lasted how long. */
  lengths!: CallLengthsResponse;
}

/** The calls of a day. */
export class CallDayResponse extends CallFiguresResponse {
  /**
   * A day of `APP_TIMEZONE`.
   * @example "2026-01-31"
   */
  @LocalDay()
  day!: string;
}

/** The calls of some days, and of all of them together. */
export class CallStatisticsResponse {
  /** Each day of the range, in order; those without calls with zeros. */
  days!: CallDayResponse[];
  /** All days together. */
  total!: CallFiguresResponse;
}

/** What there is at the moment, on all instances. */
export class PresentFiguresResponse {
  /**
   * Calls that ring.
   * @example 2
   */
  calls_ringing!: number;
  /**
   * Calls that are answered and not over.
   * @example 17
   */
  calls_ongoing!: number;
  /**
   * Event streams that are open, as the instances told within the last seconds.
   * @example 240
   */
  streams!: number;
  /**
   * Users who are there, on however many terminals; null where `PRESENCE` is `off`.
   * @example 180
   */
  users_online!: number | null;
  /**
   * Devices that are there.
   * @example 0
   */
  devices_online!: number;
}

/** How many there are of what is kept. */
export class TotalsResponse {
  /**
   * Users, a minute behind.
   * @example 1200
   */
  users!: number;
  /**
   * Devices, whether in a group or in none.
   * @example 350
   */
  devices!: number;
  /**
   * Groups of devices, at whatever level.
   * @example 40
   */
  groups!: number;
}

/** A day at a glance. */
export class OverviewDayResponse {
  /**
   * A day of `APP_TIMEZONE`.
   * @example "2026-01-31"
   */
  @LocalDay()
  day!: string;
  /**
   * Calls that were made on it and are over.
   * @example 40
   */
  calls!: number;
  /**
   * Those of them that were answered.
   * @example 22
   */
  answered!: number;
  /**
   * Messages that people sent on it, a minute behind.
   * @example 310
   */
  messages!: number;
  /**
   * Users who sent a request on it or had an event stream open.
   * @example 95
   */
  active_users!: number;
  /**
   * Users who were made on it, a minute behind.
   * @example 3
   */
  new_users!: number;
}

/** The whole service at a glance. */
export class OverviewResponse {
  /** What is going on at the moment, on all instances. */
  now!: PresentFiguresResponse;
  /** How many there are of what is kept. */
  totals!: TotalsResponse;
  /** The present day. */
  today!: OverviewDayResponse;
  /** The last 30 days in order, today the last. */
  days!: OverviewDayResponse[];
}
