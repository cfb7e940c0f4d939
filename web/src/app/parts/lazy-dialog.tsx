import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from '../../shared/parts/error-boundary';
import { PartFailed } from '../../shared/parts/part-failed';

/** Frame of a dialog or panel in a chunk of its own: shows nothing while it loads, and a message with a retry button if it failed. */
export const LazyDialog = ({ children }: { children: ReactNode }) => (
  <ErrorBoundary
    renderFailed={(retry) => (
      <div className="call-failed">
        <PartFailed onRetry={retry} />
      </div>
    )}
  >
    <Suspense>{children}</Suspense>
  </ErrorBoundary>
);
