import type { ReactNode } from 'react';

/** A column of a list. The first column of a list is always shown, and is the heading of a card on phones. */
export interface ListColumn<Row> {
  /** Unique in the list; part of the URL if the column can be selected, and the sort field if it is sortable. */
  key: string;
  title: string;
  render: (row: Row) => ReactNode;
  isSortable?: boolean;
  /** Whether the column is shown only if it is selected. */
  isOptional?: boolean;
  align?: 'end';
  width?: string;
  className?: string;
}
