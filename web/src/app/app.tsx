import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../shared/parts/lazy-part';
import { SessionGate } from '../shared/sign-in/session-gate';
import './app.css';

const Shell = lazyPart(async () => (await import('./shell/shell')).Shell);

/** The web client. */
export function App() {
  const { t } = useTranslation(['client', 'shared']);
  return (
    <SessionGate title={t('title')} tagline={t('tagline')}>
      <Suspense fallback={<output className="waiting">{t('shared:starting')}</output>}>
        <Shell />
      </Suspense>
    </SessionGate>
  );
}
