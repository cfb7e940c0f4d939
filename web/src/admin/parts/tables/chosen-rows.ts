import type { TableProps } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface Named {
  id: number;
  name: string;
}

/** The selected rows by id. */
export type Chosen<Row extends Named> = ReadonlyMap<number, Row>;

interface Choosing<Row extends Named> {
  chosen: Chosen<Row>;
  setChosen: (chosen: Chosen<Row>) => void;
  rowSelection: TableProps<Row>['rowSelection'];
}

/** The selected rows of a list. The selection is kept across pages and filters. */
export function useChosenRows<Row extends Named>(): Choosing<Row> {
  const { t } = useTranslation('panel');
  const [chosen, setChosen] = useState<Chosen<Row>>(new Map());
  return {
    chosen,
    setChosen,
    rowSelection: {
      preserveSelectedRowKeys: true,
      selectedRowKeys: [...chosen.keys()],
      onChange: (ids, rows) => {
        const known = new Map([...chosen.values(), ...rows.filter(Boolean)].map((row) => [row.id, row]));
        setChosen(
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
export const without = <Row extends Named>(chosen: Chosen<Row>, ids: readonly number[]): Chosen<Row> =>
  new Map([...chosen].filter(([id]) => !ids.includes(id)));
