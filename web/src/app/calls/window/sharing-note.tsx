import { useTranslation } from 'react-i18next';

/** Reminds the user that the peer sees the screen, with a button that stops it. */
export function SharingNote({ onStop }: { onStop: () => void }) {
  const { t } = useTranslation('calling');
  return (
    <div className="call-sharing">
      <output>{t('sharing')}</output>
      <button type="button" onClick={onStop}>
        {t('stopSharing')}
      </button>
    </div>
  );
}
