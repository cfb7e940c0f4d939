import { IANAZone } from 'luxon';
import { LRUCache } from 'lru-cache';
import type { MessageCatalogue } from '../../common/i18n/catalogue';
import { ZH_CN } from '../../common/i18n/zh-cn';

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Time zones change their offset only at whole quarters of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;
const MAX_CACHED_QUARTERS = 5_000;

/** Formats times in one time zone and one language (API 1.5). Pure. */
export class LocalTime {
  readonly #zone: IANAZone;
  /**
   * Quarter of an hour → offset in minutes. Cached because a look-up in the zone takes 5 µs, and a page of history
   * formats 150 times.
   */
  readonly #offsets = new LRUCache<number, number>({ max: MAX_CACHED_QUARTERS });

  /** @param zone an IANA name such as `Asia/Shanghai` */
  constructor(
    zone: string,
    readonly catalogue: MessageCatalogue = ZH_CN,
  ) {
    this.#zone = IANAZone.create(zone);
  }

  /** `2026-01-31 16:00:00` */
  dateTime(moment: Date): string {
    const local = this.#local(moment);
    return `${dateOf(local)} ${timeOf(local)}:${twoDigits(local.getUTCSeconds())}`;
  }

  /** `16:00` */
  hourMinute(moment: Date): string {
    return timeOf(this.#local(moment));
  }

  /** `16:00` today, 昨天, 星期六 for two to six days ago, `01-31` this year, else `2025-12-31`. */
  relative(moment: Date, now: Date): string {
    const [then, today] = [this.#local(moment), this.#local(now)];
    const date = dateOf(then);
    const daysAgo = dayOf(today) - dayOf(then);
    if (daysAgo === 0) return timeOf(then);
    if (daysAgo === 1) return this.catalogue.messages.yesterday;
    const weekday = daysAgo > 1 && daysAgo < 7 ? WEEKDAYS[then.getUTCDay()] : undefined;
    if (weekday !== undefined) return this.catalogue.messages[weekday];
    return then.getUTCFullYear() === today.getUTCFullYear() ? date.slice(5) : date;
  }

  /** Returns a date whose UTC parts are the local parts of `moment`. */
  #local(moment: Date): Date {
    const quarter = Math.floor(moment.getTime() / QUARTER_MS);
    let offset = this.#offsets.get(quarter);
    if (offset === undefined) {
      offset = this.#zone.offset(moment.getTime());
      this.#offsets.set(quarter, offset);
    }
    return new Date(moment.getTime() + offset * MINUTE_MS);
  }
}

const dayOf = (local: Date): number => Math.floor(local.getTime() / DAY_MS);

// Built from the parts: `toISOString` takes several times as long, and a page of history formats 150 times.
const dateOf = (local: Date): string =>
  `${local.getUTCFullYear()}-${twoDigits(local.getUTCMonth() + 1)}-${twoDigits(local.getUTCDate())}`;
const timeOf = (local: Date): string =>
  `${twoDigits(local.getUTCHours())}:${twoDigits(local.getUTCMinutes())}`;

const twoDigits = (value: number): string => (value < 10 ? `0${value}` : String(value));
