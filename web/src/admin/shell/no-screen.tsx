import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { ScreenHeader } from '../parts/screen-header';

/** Shown for unknown URLs, with a link to the overview. */
export function NoScreen() {
  const { t } = useTranslation('panel');
  return (
    <>
      <ScreenHeader title={t('parts.notFound')} />
      <Link href="/overview">{t('screens.overview')}</Link>
    </>
  );
}
