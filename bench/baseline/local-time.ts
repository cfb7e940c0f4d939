/* Timestamps in the time zone Asia/Shanghai, which has been UTC+8 without daylight saving time since 1991. */

const OFFSET_MS = 8 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
const WEEKDAYS = ['星期日', '星期一', '星期二', '星期三', '星期四', '星期五', '星期六'];

const two = (value: number): string => (value < 10 ? `0${value}` : String(value));
const local = (moment: Date): Date => new Date(moment.getTime() + OFFSET_MS);
const timeIn = (at: Date): string => `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;
const dateIn = (at: Date): string => `${at.getUTCFullYear()}-${dayIn(at)}`;
const dayIn = (at: Date): string => `${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}`;

/** `16:00` */
export const hourMinute = (moment: Date): string => timeIn(local(moment));

/** `2026-01-31 16:00:00` */
export function dateTime(moment: Date): string {
  const at = local(moment);
  return `${dateIn(at)} ${timeIn(at)}:${two(at.getUTCSeconds())}`;
}

/** The `time` field of a conversation (API 1.5). */
export function relative(moment: Date, now: Date): string {
  const [then, today] = [local(moment), local(now)];
  const days = Math.floor(today.getTime() / DAY_MS) - Math.floor(then.getTime() / DAY_MS);
  if (days === 0) return timeIn(then);
  if (days === 1) return '昨天';
  if (days > 1 && days < 7) return WEEKDAYS[then.getUTCDay()] ?? '';
  return then.getUTCFullYear() === today.getUTCFullYear() ? dayIn(then) : dateIn(then);
}
