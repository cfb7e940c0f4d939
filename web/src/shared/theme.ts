import { useSyncExternalStore } from 'react';
import { keepItem } from './keep-item';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const REMEMBERED = 'callboard.theme';
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

const chosen = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(REMEMBERED)) ?? 'auto';

/** base.css has the rest: what the build makes of `light-dark()` for older browsers follows rules, and no inline style. */
function show(): void {
  document.documentElement.dataset.theme = chosen();
  for (const listener of listeners) listener();
}

/** Shows the page in the theme that was chosen, and follows the system's and the other tabs'. */
export function startTheme(): void {
  show();
  prefersDark.addEventListener('change', show);
  window.addEventListener('storage', ({ key }) => key === REMEMBERED && show());
}

/** Changes the theme, for later visits too. */
export function chooseTheme(theme: Theme): void {
  keepItem(localStorage, REMEMBERED, theme);
  show();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The theme that was chosen. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, chosen);

/** Whether the page is dark at the moment. */
export const useIsDark = (): boolean =>
  useSyncExternalStore(subscribe, () => chosen() === 'dark' || (chosen() === 'auto' && prefersDark.matches));
