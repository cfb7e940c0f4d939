import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useClientConfig } from '../shared/client-config';
import { isoLikeFormat } from '../shared/format';
import { type Format, formatIn, type Place } from './moments';

/** Formats moments, numbers and durations for the web client: moments in the time zone of the browser, near ones by their day. */
export function useFormat(): Format {
  const serviceZone = useClientConfig()?.time_zone;
  const { language } = useTranslation().i18n;
  const today = useSyncExternalStore(subscribeToDay, getToday);
  return formatFor(language, { serviceZone, today });
}

let latest: { key: string; format: Format } | undefined;

/** Returns the format of the last call where that fits: formatters of `Intl` are expensive to create, and all components share one. */
function formatFor(language: string, place: Place): Format {
  const key = `${language} ${place.serviceZone} ${place.today}`;
  if (latest?.key !== key) latest = { key, format: formatIn(language, place) };
  return latest.format;
}

const dates = isoLikeFormat(undefined, 'short');
const getToday = (): string => dates.format(Date.now()).split(' ')[0] ?? '';

const EVERY_MS = 30_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Calls the listeners of all components by one timer, since a day ends without an event. */
function subscribeToDay(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, EVERY_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
