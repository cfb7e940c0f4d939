import { useEffect } from 'react';
import { keepItem } from '../../../shared/keep-item';
import { useUrlState } from '../../../shared/url-state';

/** In the address, since nothing cannot be told from what is not there. */
const NONE = 'none';

/**
 * Which of a list's columns are shown, and how to choose others. The address has them (`columns`); where it says nothing, those
 * that were chosen last in this browser are put there.
 *
 * @param list names the list
 * @param all every column that can be chosen, in their order
 * @param usual those of somebody who has chosen none
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
    else keepItem(localStorage, key, columns);
    set({ columns });
  };
  return [chosen, choose];
}
