import { useTranslation } from 'react-i18next';

/** Logo and title of the panel. */
export function Brand() {
  const { t } = useTranslation('panel');
  return (
    <span className="brand">
      <img src="/favicon.svg" alt="" width="28" height="28" />
      {t('title')}
    </span>
  );
}
