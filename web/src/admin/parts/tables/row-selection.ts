import type { TableProps } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface Named {
  id: number;
  name: string;
}

/** The selected rows by id. */
export type SelectedRows<Row extends Named> = ReadonlyMap<number, Row>;

interface RowSelection<Row extends Named> {
  selected: SelectedRows<Row>;
  setSelected: (selected: SelectedRows<Row>) => void;
  rowSelection: TableProps<Row>['rowSelection'];
}

/** The selected rows of a list. The selection is kept across pages and filters. */
export function useRowSelection<Row extends Named>(): RowSelection<Row> {
  const { t } = useTranslation('panel');
  const [selected, setSelected] = useState<SelectedRows<Row>>(new Map());
  return {
    selected,
    setSelected,
    rowSelection: {
      preserveSelectedRowKeys: true,
      selectedRowKeys: [...selected.keys()],
      onChange: (ids, rows) => {
        const known = new Map([...selected.values(), ...rows.filter(Boolean)].map((row) => [row.id, row]));
        setSelected(
          new Map(
            ids.flatMap((id) => {
              const row = known.get(Number(id));
              return row === undefined ? [] : [[row.id, row] as const];
            }),
          ),
        );
      },
      getCheckboxProps: ({ name }) => ({ 'aria-label': t('lists.chooseRow', { name }) }),
      getTitleCheckboxProps: () => ({ 'aria-label': t('lists.chooseAll') }),
    },
  };
}

/** Returns the selection without the given rows. */
export const deselect = <Row extends Named>(
  selected: SelectedRows<Row>,
  ids: readonly number[],
): SelectedRows<Row> => new Map([...selected].filter(([id]) => !ids.includes(id)));
