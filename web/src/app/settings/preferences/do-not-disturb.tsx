import type { ChangePreferencesRequest } from '@callboard/client';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { subscribeToClock } from '../../clock-ticks';
import { useFormat } from '../../format';

interface Props {
  /** ISO 8601; null or past: off. */
  until: string | null;
  onChange: (changes: ChangePreferencesRequest) => Promise<void>;
}

const HOUR_MS = 3_600_000;
const MORNING = 8;

/** Returns 8:00 of the next day. */
function tomorrow(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, MORNING);
}

/** Starts and ends do-not-disturb. */
export function DoNotDisturb({ until, onChange }: Props) {
  const { t } = useTranslation(['client', 'settings']);
  const format = useFormat();
  const isOn = useSyncExternalStore(subscribeToClock, () => until !== null && Date.parse(until) > Date.now());
  const set = (end: Date | null): void => void onChange({ dnd_until: end?.toISOString() ?? null });
  return (
    <div className="settings-row">
      <div>
        <div>{t('settings:preferences.dnd')}</div>
        <output className="soft">
          {isOn && until !== null
            ? t('settings:preferences.dndUntil', { time: format.momentInText(until) })
            : t('settings:preferences.dndHint')}
        </output>
      </div>
      <div className="settings-acts">
        <button type="button" onClick={() => set(new Date(Date.now() + HOUR_MS))}>
          {t('settings:preferences.dndHour')}
        </button>
        <button type="button" onClick={() => set(tomorrow(new Date()))}>
          {t('settings:preferences.dndTomorrow')}
        </button>
        <button type="button" disabled={!isOn} onClick={() => set(null)}>
          {t('settings:preferences.dndEnd')}
        </button>
      </div>
    </div>
  );
}
