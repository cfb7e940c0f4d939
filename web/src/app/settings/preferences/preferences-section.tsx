import { useTranslation } from 'react-i18next';
import { ErrorMessage } from '../../../shared/error-message';
import { Retry } from '../../parts/retry';
import { Section } from '../section';
import { Toggle } from '../toggle';
import { DoNotDisturb } from './do-not-disturb';
import { QuietHours } from './quiet-hours';
import { TypeChoices } from './type-choices';
import { usePreferences } from './use-preferences';
import './preferences.css';

const PREVIEWS = ['full', 'names', 'ids'] as const;

/** Settings of the user for all devices: do-not-disturb, quiet hours, previews, and choices by type. */
export function PreferencesSection() {
  const { t } = useTranslation(['client', 'settings', 'shared']);
  const { preferences, loadError, reload, change, error } = usePreferences();
  return (
    <Section title={t('settings:preferences.title')} hint={t('settings:preferences.hint')}>
      {preferences === undefined && loadError === null && (
        <output className="soft">{t('shared:starting')}</output>
      )}
      {preferences === undefined && loadError !== null && <Retry error={loadError} onRetry={reload} />}
      {error !== undefined && <ErrorMessage error={error} />}
      {preferences !== undefined && (
        <>
          <DoNotDisturb until={preferences.dnd_until} onChange={change} />
          <QuietHours hours={preferences.quiet_hours} onChange={change} />
          <Toggle
            label={t('settings:preferences.callsWhenQuiet')}
            isOn={preferences.calls_when_quiet}
            onChange={(on) => void change({ calls_when_quiet: on })}
          />
          <div className="settings-row">
            <label htmlFor="preview">{t('settings:preferences.preview')}</label>
            <select
              id="preview"
              value={preferences.preview}
              onChange={({ target }) => void change({ preview: target.value as (typeof PREVIEWS)[number] })}
            >
              {PREVIEWS.map((preview) => (
                <option key={preview} value={preview}>
                  {t(`settings:preferences.previews.${preview}`)}
                </option>
              ))}
            </select>
          </div>
          <TypeChoices types={preferences.types} onChange={change} />
        </>
      )}
    </Section>
  );
}
