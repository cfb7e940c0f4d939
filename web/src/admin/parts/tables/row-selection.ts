import { type SetStateAction, useState } from 'react';

interface Identified {
  id: number;
}

/** A row that can be selected. */
export interface NamedRow extends Identified {
  name: string;
}

/** The selected rows by id. */
export type SelectedRows<Row> = ReadonlyMap<number, Row>;

/** The selection of a list: rows, which are kept across pages and filters, or all rows that match the filters. */
export interface ListSelection<Row> {
  selected: SelectedRows<Row>;
  /**
   * Selects these rows, and ends the selection of all matching rows. After a wait, pass a function: rows may have been
   * selected meanwhile.
   */
  select: (rows: SetStateAction<SelectedRows<Row>>) => void;
  /** Whether all rows that match the current filters are selected. */
  isAllMatching: boolean;
  selectAllMatching: () => void;
}

/**
 * The selection of a list.
 *
 * @param filters the current filters. Other filters end the selection of all matching rows, which would be other rows.
 */
export function useListSelection<Row extends Identified>(filters: object = {}): ListSelection<Row> {
  const [selected, setSelected] = useState<SelectedRows<Row>>(new Map());
  const [matching, setMatching] = useState<string>();
  const current = JSON.stringify(filters);
  // Without this, the filters of before would select all matching rows again.
  if (matching !== undefined && matching !== current) setMatching(undefined);
  return {
    selected,
    select: (rows) => {
      setMatching(undefined);
      setSelected(rows);
    },
    isAllMatching: matching === current,
    selectAllMatching: () => setMatching(current),
  };
}

/** Returns the selection without the given rows. */
export const deselect = <Row>(selected: SelectedRows<Row>, ids: readonly number[]): SelectedRows<Row> =>
  new Map([...selected].filter(([id]) => !ids.includes(id)));

/** Returns the selection with some of the rows on the page added or removed. */
export function toggleRows<Row extends Identified>(
  selected: SelectedRows<Row>,
  rows: readonly Row[],
  isSelected: boolean,
): SelectedRows<Row> {
  const ids = rows.map(({ id }) => id);
  const others = deselect(selected, ids);
  return isSelected ? new Map([...others, ...rows.map((row) => [row.id, row] as const)]) : others;
}
