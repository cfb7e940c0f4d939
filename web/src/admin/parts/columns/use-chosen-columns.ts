import { useState } from 'react';
import { keepItem } from '../../../shared/keep-item';

/**
 * Which of a list's columns are shown in this browser, and how to choose others.
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
  const [chosen, setChosen] = useState(() => {
    const names = localStorage.getItem(key)?.split(' ');
    return names === undefined ? usual : all.filter((column) => names.includes(column));
  });
  const choose = (next: readonly Column[]): void => {
    keepItem(localStorage, key, next.join(' '));
    setChosen(all.filter((column) => next.includes(column)));
  };
  return [chosen, choose];
}
