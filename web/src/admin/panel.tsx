import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../shared/parts/lazy-part';
import { SessionGate } from '../shared/sign-in/session-gate';
import { useUser } from '../shared/sign-in/user-context';
import { NotAdministrator } from './not-administrator';

/** Loaded only for administrators. */
const Shell = lazyPart(async () => (await import('./shell/shell')).Shell);

/** The administrators' panel. The service authorises each request by the role in the token. */
export function Panel() {
  const { t } = useTranslation('panel');
  return (
    <SessionGate title={t('title')} tagline={t('tagline')}>
      <ForAdministrators />
    </SessionGate>
  );
}

function ForAdministrators() {
  const { t } = useTranslation();
  if (useUser().role !== 'admin') return <NotAdministrator />;
  return (
    <Suspense fallback={<output>{t('starting')}</output>}>
      <Shell />
    </Suspense>
  );
}
