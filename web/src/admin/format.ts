import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useClientConfig } from '../shared/client-config';
import { formatDuration, formatSize, isoLikeFormat, NOTHING, toInstant } from '../shared/format';

export interface Format {
  /** `2026-01-31 16:00`; `–` for null. */
  dateTime: (moment: string | null) => string;
  /** `2026-01-31 16:00:05`. */
  dateTimeSeconds: (moment: string) => string;
  /** `12,345`. */
  number: (value: number) => string;
  /** Bytes as `1.2 MB`. */
  size: (bytes: number) => string;
  /** A change as `+50%` or `-8%`. */
  percent: (ratio: number) => string;
  /** Seconds as `1:05` or `1:01:05`; `–` for null. */
  duration: (seconds: number | null) => string;
}

/**
 * Formats times, numbers and durations for the panel. Times are in the service's time zone (API 16.6), so that
 * administrators in different places see the same times; the menu shows the time zone.
 */
export function useFormat(): Format {
  const timeZone = useClientConfig()?.time_zone;
  const { language } = useTranslation().i18n;
  return useMemo(() => {
    const moments = isoLikeFormat(timeZone, 'short');
    const seconds = isoLikeFormat(timeZone, 'medium');
    const numbers = new Intl.NumberFormat(language);
    const changes = new Intl.NumberFormat(language, {
      style: 'percent',
      maximumFractionDigits: 0,
      signDisplay: 'exceptZero',
    });
    return {
      dateTime: (moment) => (moment === null ? NOTHING : moments.format(toInstant(moment, timeZone))),
      dateTimeSeconds: (moment) => seconds.format(toInstant(moment, timeZone)),
      number: (value) => numbers.format(value),
      size: (bytes) => formatSize(bytes, language),
      percent: (ratio) => changes.format(ratio),
      duration: formatDuration,
    };
  }, [language, timeZone]);
}
