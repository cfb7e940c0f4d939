import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { CallsContext } from './call-context';
import { useTerminal } from './use-terminal';

const CallWindow = lazy(async () => ({ default: (await import('./window/call-window')).CallWindow }));

/** The user's terminal for calls, and what is seen of a call above all screens. */
export function CallLayer({ children }: { children: ReactNode }) {
  const terminal = useTerminal();
  const { session, isBusy, place, attempt } = terminal;
  const calls = useMemo(() => ({ session, isBusy, place }), [session, isBusy, place]);
  return (
    <CallsContext value={calls}>
      {children}
      {(session !== null || attempt !== null) && (
        <Suspense>
          <CallWindow terminal={terminal} />
        </Suspense>
      )}
    </CallsContext>
  );
}
