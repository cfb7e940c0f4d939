import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Route, Switch } from 'wouter';
import { Attention } from '../attention/attention';
import { CallLayer } from '../calls/call-layer';
import { Icon } from '../icons';
import { LiveProvider } from '../live';
import { refreshMe } from '../me';
import { SCREENS } from '../screens';
import { useEvents } from '../use-events';
import { Connection } from './connection';
import { Navigation } from './navigation';
import './shell.css';
import './two-columns.css';

/** The frame of the client: the menu, the screen, and the call that may go on above all of them. */
export function Shell() {
  const { t } = useTranslation(['client', 'shared']);
  useEvents(({ type }) => void (type === 'user.updated' && refreshMe()));
  return (
    <LiveProvider>
      <Attention />
      <CallLayer>
        <div className="shell">
          <Navigation />
          <div className="shell-screen">
            <Connection />
            <Suspense fallback={<output className="waiting">{t('shared:starting')}</output>}>
              <Switch>
                {SCREENS.flatMap(({ name, paths, component }) =>
                  paths.map((path) => <Route key={`${name} ${path}`} path={path} component={component} />),
                )}
                <Route component={NoScreen} />
              </Switch>
            </Suspense>
          </div>
        </div>
      </CallLayer>
    </LiveProvider>
  );
}

/** An address below the client's that leads nowhere. */
function NoScreen() {
  const { t } = useTranslation('client');
  return (
    <main className="empty">
      <Icon name="search" />
      <h1>{t('notFound')}</h1>
      <Link href="/">{t('screens.conversations')}</Link>
    </main>
  );
}
