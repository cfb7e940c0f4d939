import { useTranslation } from 'react-i18next';
import {
  requestNotificationPermission,
  type NotificationState,
  setNotificationsEnabled,
  useBrowserNotifications,
} from '../attention/browser-notifications';
import { chime, setSoundsEnabled, useSounds } from '../attention/sounds';
import { isIos } from '../push/install';
import { usePushState } from '../push/push-state';
import { Section } from './section';
import { Toggle } from './toggle';

/** Switches for sounds and browser notifications. */
export function AttentionSection() {
  const { t } = useTranslation(['client', 'settings']);
  const hasSounds = useSounds();
  const state = useBrowserNotifications();
  return (
    <Section title={t('settings:attention.title')}>
      <Toggle
        label={t('settings:attention.sounds')}
        hint={t('settings:attention.soundsHint')}
        isOn={hasSounds}
        onChange={(on) => {
          setSoundsEnabled(on);
          if (on) chime();
        }}
      />
      <BrowserNotifications state={state} />
    </Section>
  );
}

function BrowserNotifications({ state }: { state: NotificationState }) {
  const { t } = useTranslation(['client', 'settings']);
  const push = usePushState();
  if (state === 'on' || state === 'off')
    return (
      <div>
        <Toggle
          label={t('settings:attention.notifications')}
          hint={t('settings:attention.notificationsHint')}
          isOn={state === 'on'}
          onChange={setNotificationsEnabled}
        />
        <output className="soft">{push !== 'off' && t(`settings:attention.push.${push}`)}</output>
      </div>
    );
  return (
    <div className="settings-row">
      <div>
        <span>{t('settings:attention.notifications')}</span>
        <p className="soft">
          {t(`settings:attention.${state === 'unsupported' && isIos() ? 'unsupportedIos' : state}`)}
        </p>
      </div>
      {state === 'ask' && (
        <button type="button" onClick={() => void requestNotificationPermission()}>
          {t('settings:attention.allow')}
        </button>
      )}
    </div>
  );
}
