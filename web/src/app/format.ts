import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useClientConfig } from '../shared/client-config';
import { isoLikeFormat } from '../shared/format';
import { type Format, createFormat, type FormatContext } from './create-format';

/** Returns the formatter for timestamps, numbers and durations: timestamps in the browser's time zone, recent ones by day name. */
export function useFormat(): Format {
  const serviceZone = useClientConfig()?.time_zone;
  const { language } = useTranslation().i18n;
  const today = useSyncExternalStore(subscribeToDay, getToday);
  return formatFor(language, { serviceZone, today });
}

let latest: { key: string; format: Format } | undefined;

/** Returns the previous formatter if it fits: `Intl` formatters are expensive to create, and all components share one. */
function formatFor(language: string, context: FormatContext): Format {
  const key = `${language} ${context.serviceZone} ${context.today}`;
  if (latest?.key !== key) latest = { key, format: createFormat(language, context) };
  return latest.format;
}

const dates = isoLikeFormat(undefined, 'short');
const getToday = (): string => dates.format(Date.now()).split(' ')[0] ?? '';

const CHECK_MS = 30_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Calls the listeners of all components from one timer, because no event marks the end of a day. */
function subscribeToDay(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, CHECK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
