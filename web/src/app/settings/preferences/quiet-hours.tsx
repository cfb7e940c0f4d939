import type { ChangePreferencesRequest, PreferencesResponse } from '@callboard/client';
import { useTranslation } from 'react-i18next';
import { Toggle } from '../toggle';

type Hours = NonNullable<PreferencesResponse['quiet_hours']>;

interface Props {
  hours: Hours | null;
  onChange: (changes: ChangePreferencesRequest) => Promise<void>;
}

const DAYS = [1, 2, 3, 4, 5, 6, 7];
/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1, 12);
const DAY_MS = 86_400_000;

/** Returns the hours that are offered before the user has chosen any. */
const initialHours = (): Hours => ({
  enabled: false,
  from: '22:00',
  to: '07:00',
  days: DAYS,
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

/** Edits the quiet hours. They are in the time zone of the browser in which they were switched on. */
export function QuietHours({ hours, onChange }: Props) {
  const { t, i18n } = useTranslation(['client', 'settings']);
  const { from, to, days, enabled, time_zone } = hours ?? initialHours();
  const change = (changes: Partial<Hours>): void =>
    void onChange({ quiet_hours: { enabled, from, to, days, time_zone, ...changes } });
  const dayName = (day: number): string =>
    new Intl.DateTimeFormat(i18n.language, { weekday: 'short', timeZone: 'UTC' }).format(
      MONDAY + (day - 1) * DAY_MS,
    );
  const toggleDay = (day: number): void => {
    const next = days.includes(day)
      ? days.filter((one) => one !== day)
      : [...days, day].toSorted((a, b) => a - b);
    // Without a day the hours never apply: they are switched off instead.
    change(next.length === 0 ? { enabled: false } : { days: next });
  };
  return (
    <>
      <Toggle
        label={t('settings:preferences.quiet')}
        hint={t('settings:preferences.quietHint')}
        isOn={enabled}
        onChange={(on) => change(on ? { enabled: on, time_zone: initialHours().time_zone } : { enabled: on })}
      />
      {enabled && (
        <div className="quiet-hours">
          {(['from', 'to'] as const).map((end) => (
            <label key={end}>
              {t(`settings:preferences.${end}`)}
              <input
                type="time"
                required
                value={end === 'from' ? from : to}
                onChange={({ target }) => target.value !== '' && change({ [end]: target.value })}
              />
            </label>
          ))}
          <fieldset>
            <legend>{t('settings:preferences.days')}</legend>
            {DAYS.map((day) => (
              <button
                key={day}
                type="button"
                aria-pressed={days.includes(day)}
                onClick={() => toggleDay(day)}
              >
                {dayName(day)}
              </button>
            ))}
          </fieldset>
          <p className="soft">{t('settings:preferences.zone', { zone: time_zone })}</p>
        </div>
      )}
    </>
  );
}
