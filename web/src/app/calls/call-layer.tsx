import { type ReactNode, Suspense, useEffect, useMemo } from 'react';
import { ErrorBoundary } from '../../shared/parts/error-boundary';
import { holdReloads } from '../../shared/parts/reload';
import { CallWindow } from '../lazy-parts';
import { CallsContext } from './call-context';
import { CallFailed } from './call-failed';
import { useTerminal } from './use-terminal';

/** Opens the user's call terminal and shows the call window above all screens. */
export function CallLayer({ children }: { children: ReactNode }) {
  const terminal = useTerminal();
  const { session, isBusy, place, attempt } = terminal;
  const calls = useMemo(() => ({ session, isBusy, place }), [session, isBusy, place]);
  useEffect(() => (isBusy ? holdReloads() : undefined), [isBusy]);
  return (
    <CallsContext value={calls}>
      {children}
      {(session !== null || attempt !== null) && (
        <ErrorBoundary renderFailed={(retry) => <CallFailed terminal={terminal} onRetry={retry} />}>
          <Suspense>
            <CallWindow terminal={terminal} />
          </Suspense>
        </ErrorBoundary>
      )}
    </CallsContext>
  );
}
