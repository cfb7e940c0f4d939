import { useTranslation } from 'react-i18next';
import { ScreenHeader } from '../parts/screen-header';

/** An address that leads nowhere. */
export function NoScreen() {
  const { t } = useTranslation('panel');
  return <ScreenHeader title={t('parts.notFound')} />;
}
