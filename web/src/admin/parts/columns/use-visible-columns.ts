import { useEffect } from 'react';
import { trySetItem } from '../../../shared/try-set-item';
import { useUrlState } from '../../../shared/url-state';

/** Value in the URL for no columns: an empty value would mean the default. */
const NONE = 'none';

/**
 * The visible columns of a list, and a function to select others. They are stored in the URL (`columns`). If the URL
 * has none, the last selection in this browser is put there.
 *
 * @param list name of the list
 * @param all every selectable column, in display order
 * @param defaults the default selection
 */
export function useVisibleColumns<Column extends string>(
  list: string,
  all: readonly Column[],
  defaults: readonly Column[],
): [readonly Column[], (visible: readonly Column[]) => void] {
  const key = `callboard.${list}.columns`;
  const { text, set } = useUrlState();
  const inUrl = text('columns');
  useEffect(() => {
    if (inUrl === undefined) set({ columns: localStorage.getItem(key) });
  }, [inUrl, key, set]);

  const names = (inUrl ?? localStorage.getItem(key))?.split(' ');
  const visible = names === undefined ? defaults : all.filter((column) => names.includes(column));
  const setVisible = (next: readonly Column[]): void => {
    const isDefault = all.every((column) => next.includes(column) === defaults.includes(column));
    const columns = isDefault ? null : next.join(' ') || NONE;
    if (columns === null) localStorage.removeItem(key);
    else trySetItem(localStorage, key, columns);
    set({ columns });
  };
  return [visible, setVisible];
}
