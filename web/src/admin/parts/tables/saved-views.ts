import { useState } from 'react';
import { trySetItem } from '../../../shared/try-set-item';
import { useUrlState } from '../../../shared/url-state';
import { columnsKey } from './use-list-view';

/** A named combination of filters, order and columns. */
export interface SavedView {
  name: string;
  /** Query string with the parameters of the view. */
  search: string;
}

/** Parameters of every list that a view contains, besides the filters. */
const ALWAYS = ['sort', 'columns', 'per_page'];
const MAX_VIEWS = 20;

/**
 * The saved views of a list in this browser. A view with the name of an existing one replaces it.
 *
 * @param list name of the list
 * @param filters names of the filters in the URL
 */
export function useSavedViews(list: string, filters: readonly string[]) {
  const key = `callboard.${list}.views`;
  const url = useUrlState();
  const [views, setViews] = useState(() => parseViews(localStorage.getItem(key)));
  const names = [...filters, ...ALWAYS];
  const store = (next: SavedView[]): void => {
    trySetItem(localStorage, key, JSON.stringify(next));
    setViews(next);
  };
  return {
    views,
    isFull: views.length >= MAX_VIEWS,
    save: (name: string): void => {
      const params = names.flatMap((param) => {
        const value = url.text(param);
        return value === undefined ? [] : [[param, value]];
      });
      const view = { name, search: new URLSearchParams(params).toString() };
      store([...views.filter((each) => each.name !== name), view].toSorted(byName));
    },
    remove: (name: string): void => store(views.filter((each) => each.name !== name)),
    apply: ({ search }: SavedView): void => {
      const params = new URLSearchParams(search);
      // A view without columns has the default ones. The list would show the last selection instead.
      if (!params.has('columns')) localStorage.removeItem(columnsKey(list));
      const values = names.map((param) => [param, params.get(param)]);
      url.set({ ...Object.fromEntries(values), page: null, cursor: null }, { push: true });
    },
  };
}

const byName = (a: SavedView, b: SavedView): number => a.name.localeCompare(b.name);

function parseViews(text: string | null): SavedView[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored) ? stored.filter(isView) : [];
  } catch {
    return [];
  }
}

const isView = (value: unknown): value is SavedView =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as SavedView).name === 'string' &&
  typeof (value as SavedView).search === 'string';
