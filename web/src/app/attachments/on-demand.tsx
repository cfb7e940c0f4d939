import { type KeyboardEvent, type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from '../../shared/parts/error-boundary';
import { PartFailed } from '../../shared/parts/part-failed';

/**
 * Renders a part that is loaded on demand above the page. React passes its events to the components around it, such as the list
 * of messages, which must not take its keys and clicks.
 */
export function OnDemand({ children }: { children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- stops events, handles none
    <div onKeyDownCapture={keepDialogOpen} onKeyDown={stop} onClick={stop} onPointerDown={stop}>
      <ErrorBoundary renderFailed={(retry) => <PartFailed onRetry={retry} />}>
        <Suspense fallback={null}>{children}</Suspense>
      </ErrorBoundary>
    </div>
  );
}

/** Escape closes the part, and not the dialog that contains it. */
function keepDialogOpen(event: KeyboardEvent): void {
  if (event.key === 'Escape') event.preventDefault();
}

const stop = (event: { stopPropagation: () => void }): void => event.stopPropagation();
