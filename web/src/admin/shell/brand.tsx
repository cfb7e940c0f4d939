import { useTranslation } from 'react-i18next';

/** Whose panel it is. */
export function Brand() {
  const { t } = useTranslation('panel');
  return (
    <span className="brand">
      <img src="/favicon.svg" alt="" width="28" height="28" />
      {t('title')}
    </span>
  );
}
