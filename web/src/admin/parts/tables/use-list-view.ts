import { useEffect, useState } from 'react';
import { trySetItem } from '../../../shared/try-set-item';
import { useUrlState } from '../../../shared/url-state';
import type { ListColumn } from './list-column';

export const DENSITIES = ['small', 'middle', 'large'] as const;
export type Density = (typeof DENSITIES)[number];

/** Value in the URL for no columns: an empty value would mean the default. */
const NONE = 'none';
const DENSITY_KEY = 'callboard.density';

/** Key in `localStorage` of the last selection of columns. */
export const columnsKey = (list: string): string => `callboard.${list}.columns`;

/** How a list is shown. */
export interface ListView<Row> {
  /** Name of the list, for settings that the browser stores. */
  name: string;
  /** All columns, in display order. */
  all: readonly ListColumn<Row>[];
  /** The visible columns. */
  columns: readonly ListColumn<Row>[];
  setColumns: (keys: readonly string[]) => void;
  density: Density;
  setDensity: (density: Density) => void;
}

/**
 * The visible columns and the density of a list. Columns are stored in the URL (`columns`); if it has none, the last
 * selection in this browser is put there. The density is stored in the browser, for all lists.
 */
export function useListView<Row>(name: string, all: readonly ListColumn<Row>[]): ListView<Row> {
  const key = columnsKey(name);
  const { text, set } = useUrlState();
  const inUrl = text('columns');
  const [density, setDensity] = useState(storedDensity);
  useEffect(() => {
    if (inUrl === undefined) set({ columns: localStorage.getItem(key) });
  }, [inUrl, key, set]);

  const names = (inUrl ?? localStorage.getItem(key))?.split(' ');
  const isShown = (column: ListColumn<Row>): boolean =>
    names === undefined ? column.isOptional !== true : names.includes(column.key);
  return {
    name,
    all,
    columns: all.filter((column, index) => index === 0 || isShown(column)),
    setColumns: (keys) => {
      const isDefault = all
        .slice(1)
        .every((column) => keys.includes(column.key) === (column.isOptional !== true));
      const chosen = all.slice(1).flatMap((column) => (keys.includes(column.key) ? [column.key] : []));
      const columns = isDefault ? null : chosen.join(' ') || NONE;
      if (columns === null) localStorage.removeItem(key);
      else trySetItem(localStorage, key, columns);
      set({ columns });
    },
    density,
    setDensity: (next) => {
      trySetItem(localStorage, DENSITY_KEY, next);
      setDensity(next);
    },
  };
}

const storedDensity = (): Density =>
  DENSITIES.find((each) => each === localStorage.getItem(DENSITY_KEY)) ?? 'middle';
