import { useSyncExternalStore } from 'react';
import { trySetItem } from './try-set-item';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const REMEMBERED = 'callboard.theme';
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

const chosen = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(REMEMBERED)) ?? 'auto';

/**
 * Sets the theme as a data attribute for base.css: the fallback that the build generates for `light-dark()` in older browsers
 * follows style rules, not inline styles.
 */
function show(): void {
  document.documentElement.dataset.theme = chosen();
  for (const listener of listeners) listener();
}

/** Applies the chosen theme and follows changes of the system and of other tabs. */
export function startTheme(): void {
  show();
  prefersDark.addEventListener('change', show);
  window.addEventListener('storage', ({ key }) => key === REMEMBERED && show());
}

/** Changes the theme, for later visits too. */
export function chooseTheme(theme: Theme): void {
  trySetItem(localStorage, REMEMBERED, theme);
  show();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the chosen theme, updated live. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, chosen);

/** Whether the page is dark, updated live. */
export const useIsDark = (): boolean =>
  useSyncExternalStore(subscribe, () => chosen() === 'dark' || (chosen() === 'auto' && prefersDark.matches));
