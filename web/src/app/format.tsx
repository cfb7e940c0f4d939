import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useClientConfig } from '../shared/client-config';
import { isoLikeFormat } from '../shared/format';
import { subscribeToClock } from './clock-ticks';
import { type Format, createFormat } from './create-format';

const FormatContext = createContext<Format | null>(null);

/** Returns the formatter for timestamps, numbers and durations: timestamps in the browser's time zone, recent ones by day name. */
export function useFormat(): Format {
  const format = useContext(FormatContext);
  if (format === null) throw new Error('Outside of FormatProvider');
  return format;
}

/** Creates the formatter once for all components: `Intl` formatters are expensive, and long lists have many timestamps. */
export function FormatProvider({ children }: { children: ReactNode }) {
  const serviceZone = useClientConfig()?.time_zone;
  const { language } = useTranslation().i18n;
  const today = useSyncExternalStore(subscribeToClock, getToday);
  const format = useMemo(
    () => createFormat(language, { serviceZone, today }),
    [language, serviceZone, today],
  );
  return <FormatContext value={format}>{children}</FormatContext>;
}

const dates = isoLikeFormat(undefined, 'short');
const getToday = (): string => dates.format(Date.now()).split(' ')[0] ?? '';
