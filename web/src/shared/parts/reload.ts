import { trySetItem } from '../try-set-item';

const RELOADED = 'callboard.reloaded';
/** Minimum time between two reloads: a second one soon after the first does not help either, and could repeat forever. */
const RELOAD_AGAIN_MS = 60_000;

let holds = 0;

/** Prevents reloads until the returned function is called. A call does not survive a reload. */
export function holdReloads(): () => void {
  holds += 1;
  return () => {
    holds -= 1;
  };
}

/**
 * Reloads a tab that was opened before an update: the chunks that it references are deleted, the current page references the
 * current ones. Does nothing while the service cannot be reached, during a call, and within a minute of the last reload.
 * `isStuck`: reloads a tab that is up to date too, because retrying did not help.
 */
export async function reloadWhenOutdated({ isStuck }: { isStuck: boolean }): Promise<void> {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (Date.now() - last < RELOAD_AGAIN_MS || !(await wouldHelp(isStuck)) || holds > 0) return;
  const now = String(Date.now());
  trySetItem(sessionStorage, RELOADED, now);
  // If the storage is full, the time is not stored and reloads could repeat forever.
  if (sessionStorage.getItem(RELOADED) === now) location.reload();
}

/** Whether the service serves the page, and a different version than this tab's unless `isStuck`. */
async function wouldHelp(isStuck: boolean): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  if (script === null || !navigator.onLine) return false;
  try {
    const response = await fetch(location.pathname, { cache: 'no-cache' });
    return response.ok && (isStuck || !(await response.text()).includes(new URL(script.src).pathname));
  } catch {
    return false;
  }
}
