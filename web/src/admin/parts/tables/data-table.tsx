import { CaretDownFilled, CaretUpFilled } from '@ant-design/icons';
import { Grid, Spin } from 'antd';
import type { HTMLAttributes } from 'react';
import { useUrlState } from '../../../shared/url-state';
import { CardList } from './card-list';
import type { ListColumn } from './list-column';
import { NoRows } from './no-rows';
import type { ListSelection, NamedRow } from './row-selection';
import { PageCheckbox, RowCheckbox } from './selection-boxes';
import { ScrolledTable } from './scrolled-table';
import type { Density } from './use-list-view';
import './data-table.css';

export interface DataTableProps<Row extends object> {
  columns: readonly ListColumn<Row>[];
  rows: readonly Row[];
  rowKey: keyof Row & string;
  density?: Density;
  isLoading?: boolean;
  /** Whether the rows could not be loaded. The error is shown by the caller. */
  isFailed?: boolean;
  /** Text for an empty list. */
  emptyText?: string;
  /** Selection of rows with an `id` and a `name`. */
  selection?: ListSelection<Row & NamedRow>;
  /** Attributes of a row. */
  onRow?: (row: Row) => HTMLAttributes<HTMLElement>;
}

/**
 * Rows as a table, or as cards on phones. All lists of the panel are shown by it. Sortable columns store the order in
 * the URL (`sort`, descending with a leading `-`). antd's table has no cards, and its filters, trees and fixed columns,
 * which no list needs, are 35 kB.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { columns, rows, rowKey, density = 'middle', isLoading = false, isFailed = false } = props;
  const url = useUrlState();
  const isPhone = Grid.useBreakpoint().sm === false;
  const sort = url.text('sort') ?? '';
  const setSort = (next: string | null): void => url.set({ sort: next, page: null, cursor: null });
  if (isPhone) return <CardList {...props} sort={sort} onSort={setSort} />;
  const selection = props.selection as ListSelection<NamedRow> | undefined;
  const page = rows as readonly NamedRow[];
  return (
    <Spin spinning={isLoading}>
      <div className="list-frame">
        <ScrolledTable className={`list list-${density}`}>
          <thead>
            <tr>
              {selection && (
                <th scope="col" className="list-choose">
                  <PageCheckbox page={page} selection={selection} />
                </th>
              )}
              {columns.map((column) => (
                <HeaderCell key={column.key} column={column} sort={sort} onSort={setSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={String(row[rowKey])} {...props.onRow?.(row)}>
                {selection && (
                  <td className="list-choose">
                    <RowCheckbox row={row as Row & NamedRow} selection={selection} />
                  </td>
                )}
                {columns.map(({ key, className, align, render }) => (
                  <td key={key} className={className} data-align={align}>
                    {render(row)}
                  </td>
                ))}
              </tr>
            ))}
            {rows.length === 0 && (
              <tr>
                <td className="list-empty" colSpan={columns.length + (selection ? 1 : 0)}>
                  {!isLoading && <NoRows isFailed={isFailed} text={props.emptyText} />}
                </td>
              </tr>
            )}
          </tbody>
        </ScrolledTable>
      </div>
    </Spin>
  );
}

interface HeaderProps<Row> {
  column: ListColumn<Row>;
  sort: string;
  onSort: (sort: string | null) => void;
}

const DIRECTIONS = ['ascending', 'descending'] as const;

/** A header. A sortable one sorts ascending, then descending, then not. */
function HeaderCell<Row>({ column, sort, onSort }: HeaderProps<Row>) {
  const { key, title, isSortable, align, className, width } = column;
  const orders: (string | null)[] = [null, key, `-${key}`];
  const current = Math.max(0, orders.indexOf(sort));
  const direction = DIRECTIONS[current - 1];
  return (
    <th
      scope="col"
      className={className}
      data-align={align}
      style={{ width }}
      aria-sort={isSortable ? direction : undefined}
    >
      {isSortable ? (
        <button type="button" onClick={() => onSort(orders[(current + 1) % orders.length] ?? null)}>
          {title}
          <span className="list-arrows" aria-hidden="true">
            <CaretUpFilled className={direction === 'ascending' ? 'active' : undefined} />
            <CaretDownFilled className={direction === 'descending' ? 'active' : undefined} />
          </span>
        </button>
      ) : (
        title
      )}
    </th>
  );
}
