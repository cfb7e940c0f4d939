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
 * @param usual the default selection
 */
export function useChosenColumns<Column extends string>(
  list: string,
  all: readonly Column[],
  usual: readonly Column[],
): [readonly Column[], (chosen: readonly Column[]) => void] {
  const key = `callboard.${list}.columns`;
  const { text, set } = useUrlState();
  const inAddress = text('columns');
  useEffect(() => {
    if (inAddress === undefined) set({ columns: localStorage.getItem(key) });
  }, [inAddress, key, set]);

  const names = (inAddress ?? localStorage.getItem(key))?.split(' ');
  const chosen = names === undefined ? usual : all.filter((column) => names.includes(column));
  const choose = (next: readonly Column[]): void => {
    const isUsual = all.every((column) => next.includes(column) === usual.includes(column));
    const columns = isUsual ? null : next.join(' ') || NONE;
    if (columns === null) localStorage.removeItem(key);
    else trySetItem(localStorage, key, columns);
    set({ columns });
  };
  return [chosen, choose];
}
