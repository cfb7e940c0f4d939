import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useClientConfig } from './client-config';

/** Conversations and messages are dated in the service's time zone already. */
const DATED = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d):\d\d$/;

export interface Format {
  /** `2026-01-31 16:00`, in the service's time zone; `–` for null. */
  dateTime: (moment: string | null) => string;
  /** `2026-01-31 16:00:05`, of a moment in ISO 8601. */
  dateTimeSeconds: (moment: string) => string;
  /** `2026-01-31`. */
  date: (moment: string | null) => string;
  /** `16:00`. */
  time: (moment: string | null) => string;
  /** `12,345`. */
  number: (value: number) => string;
  /** Seconds as `1:05` or `1:01:05`. */
  duration: (seconds: number | null) => string;
}

const NOTHING = '–';

/**
 * How moments, numbers and lengths of time are shown: moments in the time zone of the service (contract 18.9), so that tables
 * and chats agree wherever their reader is.
 */
export function useFormat(): Format {
  const timeZone = useClientConfig()?.time_zone;
  const { language } = useTranslation().i18n;
  return useMemo(() => formatIn(language, timeZone), [language, timeZone]);
}

export function formatIn(language: string, timeZone: string | undefined): Format {
  // Sweden writes dates as ISO 8601 does.
  const momentsIn = (timeStyle: 'short' | 'medium') =>
    new Intl.DateTimeFormat('sv-SE', {
      dateStyle: 'short',
      timeStyle,
      ...(timeZone !== undefined && { timeZone }),
    });
  const moments = momentsIn('short');
  const seconds = momentsIn('medium');
  const numbers = new Intl.NumberFormat(language);
  const split = (moment: string): [date: string, time: string] => {
    const [, date, time] = DATED.exec(moment) ?? [];
    if (date !== undefined && time !== undefined) return [date, time];
    const [day = NOTHING, hour = ''] = moments.format(new Date(moment)).split(' ');
    return [day, hour];
  };
  return {
    dateTime: (moment) => (moment === null ? NOTHING : split(moment).join(' ')),
    dateTimeSeconds: (moment) => seconds.format(new Date(moment)),
    date: (moment) => (moment === null ? NOTHING : split(moment)[0]),
    time: (moment) => (moment === null ? NOTHING : split(moment)[1]),
    number: (value) => numbers.format(value),
    duration: (length) => (length === null ? NOTHING : asClock(length)),
  };
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `65` as `1:05`. */
export function asClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const last = two(whole % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${last}` : `${minutes}:${last}`;
}
