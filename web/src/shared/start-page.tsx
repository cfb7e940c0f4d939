import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { startI18n, type Catalogues } from './i18n/i18n';
import { cleanUpAtLogOut } from './log-out-cleanup';
import { ErrorBoundary } from './parts/error-boundary';
import { ignoreDroppedFiles } from './parts/ignore-dropped-files';
import { PartFailed } from './parts/part-failed';
import { reloadWhenOutdated } from './parts/reload';
import { StartFailed } from './parts/start-failed';
import { queryClient } from './query-client';
import { restoreSession } from './session';
import { startTheme } from './theme';
import './base.css';

/** Renders a page once its texts are loaded, and restores the session. `catalogues`: texts of the page, by language. */
export async function startPage(page: ReactNode, catalogues: Catalogues): Promise<void> {
  startTheme();
  ignoreDroppedFiles();
  cleanUpAtLogOut();
  // A page that is restored from the back/forward cache may have missed changes of the session.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void restoreSession();
  });
  void restoreSession();
  const element = document.querySelector('#root');
  if (element === null) throw new Error('The page has no #root');
  const root = createRoot(element);
  const show = async (isRetry = false): Promise<void> => {
    try {
      await startI18n(catalogues);
    } catch {
      root.render(<StartFailed onRetry={() => void show(true)} />);
      await reloadWhenOutdated({ isStuck: isRetry });
      return;
    }
    root.render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <ErrorBoundary
            renderFailed={(retry) => (
              <div className="frame">
                <main>
                  <PartFailed onRetry={retry} isScreen />
                </main>
              </div>
            )}
          >
            {page}
          </ErrorBoundary>
        </QueryClientProvider>
      </StrictMode>,
    );
  };
  await show();
}
