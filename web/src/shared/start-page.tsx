import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { startI18n, type Catalogues } from './i18n/i18n';
import { queryClient } from './query-client';
import { restoreSession } from './session';
import { startTheme } from './theme';
import './base.css';

const RELOADED = 'callboard.reloaded';
/** Within that time a second reload would help no more than the first. */
const RELOAD_AGAIN_MS = 60_000;

/** Shows a page, once its texts are there, and goes on with the session. `catalogues`: its own texts, by language. */
export async function startPage(page: ReactNode, catalogues: Catalogues): Promise<void> {
  reloadWhenOutdated();
  startTheme();
  // What a browser brings back as it was has heard of nothing meanwhile.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void restoreSession();
  });
  void restoreSession();
  await startI18n(catalogues);
  const root = document.querySelector('#root');
  if (root === null) throw new Error('The page has no #root');
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>{page}</QueryClientProvider>
    </StrictMode>,
  );
}

/** A tab from before a deploy asks for chunks that are gone; the present page names the present ones. */
function reloadWhenOutdated(): void {
  window.addEventListener('vite:preloadError', () => {
    const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
    if (Date.now() - last < RELOAD_AGAIN_MS) return;
    sessionStorage.setItem(RELOADED, String(Date.now()));
    location.reload();
  });
}
