import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { ScreenHeader } from '../parts/screen-header';

/** An address that leads nowhere, and the way back. */
export function NoScreen() {
  const { t } = useTranslation('panel');
  return (
    <>
      <ScreenHeader title={t('parts.notFound')} />
      <Link href="/overview">{t('screens.overview')}</Link>
    </>
  );
}
