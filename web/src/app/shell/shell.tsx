import { Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Route, Switch, useLocation } from 'wouter';
import { ErrorBoundary } from '../../shared/parts/error-boundary';
import { PartFailed } from '../../shared/parts/part-failed';
import { prefetchWhenIdle } from '../../shared/parts/prefetch';
import { useUser } from '../../shared/sign-in/user-context';
import { Attention } from '../attention/attention';
import { CallLayer } from '../calls/call-layer';
import { restoreOutbox } from '../chat/open-chats';
import { FinderLayer } from '../find/finder-layer';
import { FormatProvider } from '../format';
import { Icon } from '../icons';
import { LiveProvider } from '../live';
import { refreshMe } from '../me';
import { usePush } from '../push/use-push';
import { PARTS, SCREENS } from '../screens';
import { useEvents } from '../use-events';
import { Connection } from './connection';
import { Navigation } from './navigation';
import './shell.css';
import './two-columns.css';

/** Frame of the client: menu, current screen, and the call window above them. */
export function Shell() {
  useEvents(({ type }) => void (type === 'user.updated' && refreshMe()));
  usePush();
  const { id: userId } = useUser();
  // Unsent messages are sent from any screen, because the page may be reloaded at any of them.
  useEffect(() => restoreOutbox(userId), [userId]);
  useEffect(() => prefetchWhenIdle(PARTS), []);
  return (
    <FormatProvider>
      <LiveProvider>
        <ErrorBoundary renderFailed={() => null}>
          <Attention />
        </ErrorBoundary>
        <CallLayer>
          {/* The call terminal is outside this boundary, so a failed screen does not end the call. */}
          <ErrorBoundary renderFailed={(retry) => <ScreenFailed onRetry={retry} />}>
            <FinderLayer>
              <div className="shell">
                <Navigation />
                <div className="shell-screen">
                  <Connection />
                  <CurrentScreen />
                </div>
              </div>
            </FinderLayer>
          </ErrorBoundary>
        </CallLayer>
      </LiveProvider>
    </FormatProvider>
  );
}

function CurrentScreen() {
  const { t } = useTranslation();
  const [location] = useLocation();
  return (
    <ErrorBoundary
      key={location.split('/')[1] || 'conversations'}
      renderFailed={(retry) => <ScreenFailed onRetry={retry} />}
    >
      <Suspense fallback={<output className="waiting">{t('starting')}</output>}>
        <Switch>
          {SCREENS.flatMap(({ name, paths, component }) =>
            // One key for all paths, so that a screen stays mounted when an item is opened. Only one route is rendered.
            paths.map((path) => <Route key={name} path={path} component={component} />),
          )}
          <Route component={NoScreen} />
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}

const ScreenFailed = ({ onRetry }: { onRetry: () => void }) => (
  <main className="empty">
    <PartFailed onRetry={onRetry} isScreen />
  </main>
);

/** Screen for an unknown path. */
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
