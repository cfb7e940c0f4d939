import { Flex, Select, Spin } from 'antd';
import { useTranslation } from 'react-i18next';
import type { DataTableProps } from './data-table';
import type { ListColumn } from './list-column';
import { NoRows } from './no-rows';
import type { ListSelection, NamedRow } from './row-selection';
import { PageCheckbox, RowCheckbox } from './selection-boxes';
import './card-list.css';

interface Props<Row extends object> extends DataTableProps<Row> {
  /** Sort field, descending with a leading `-`; empty for the default order. */
  sort: string;
  onSort: (sort: string | null) => void;
}

/** Rows as cards, for phones: the first column is the heading, the others are labelled values. */
export function CardList<Row extends object>({ sort, onSort, ...props }: Props<Row>) {
  const { columns, rows, rowKey, density = 'middle', isLoading = false, isFailed = false } = props;
  const [first, ...others] = columns;
  const selection = props.selection as ListSelection<NamedRow> | undefined;
  if (first === undefined) return null;
  return (
    <Spin spinning={isLoading}>
      <Flex vertical gap="small">
        <CardControls columns={columns} sort={sort} onSort={onSort} rows={rows} selection={selection} />
        {rows.length === 0 && !isLoading && <NoRows isFailed={isFailed} text={props.emptyText} />}
        <ul className={`cards cards-${density}`}>
          {rows.map((row) => {
            const { className, ...attributes } = props.onRow?.(row) ?? {};
            return (
              <li key={String(row[rowKey])} className={className}>
                <div className="card-head" {...attributes}>
                  {selection && <RowCheckbox row={row as Row & NamedRow} selection={selection} />}
                  <strong>{first.render(row)}</strong>
                </div>
                <dl>
                  {others.map(({ key, title, render }) => (
                    <div key={key}>
                      <dt>{title}</dt>
                      <dd>{render(row)}</dd>
                    </div>
                  ))}
                </dl>
              </li>
            );
          })}
        </ul>
      </Flex>
    </Spin>
  );
}

interface ControlProps<Row> {
  columns: readonly ListColumn<Row>[];
  sort: string;
  onSort: (sort: string | null) => void;
  rows: readonly Row[];
  selection?: ListSelection<NamedRow>;
}

/** Selects the page and the order, which a table does in its header. */
function CardControls<Row>({ columns, sort, onSort, rows, selection }: ControlProps<Row>) {
  const { t } = useTranslation('panel');
  const sortable = columns.filter(({ isSortable }) => isSortable);
  if (sortable.length === 0 && selection === undefined) return null;
  return (
    <Flex justify="space-between" align="center" gap="small" wrap>
      {selection && <PageCheckbox page={rows as readonly NamedRow[]} selection={selection} hasLabel />}
      {sortable.length > 0 && (
        <Select<string>
          aria-label={t('lists.sort')}
          placeholder={t('lists.sort')}
          className="card-sort"
          allowClear
          value={sort === '' ? undefined : sort}
          options={sortable.flatMap(({ key, title }) => [
            { value: key, label: t('lists.ascending', { title }) },
            { value: `-${key}`, label: t('lists.descending', { title }) },
          ])}
          onChange={(next?: string) => onSort(next ?? null)}
        />
      )}
    </Flex>
  );
}
