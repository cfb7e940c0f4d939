import type { TableProps } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminUserResponse } from '@callboard/client';

export type ChosenUsers = ReadonlyMap<number, AdminUserResponse>;

interface Choosing {
  chosen: ChosenUsers;
  setChosen: (chosen: ChosenUsers) => void;
  rowSelection: TableProps<AdminUserResponse>['rowSelection'];
}

/** The users that were chosen, on whatever page and under whatever filter they were found. */
export function useChosenUsers(): Choosing {
  const { t } = useTranslation('panel');
  const [chosen, setChosen] = useState<ChosenUsers>(new Map());
  return {
    chosen,
    setChosen,
    rowSelection: {
      preserveSelectedRowKeys: true,
      selectedRowKeys: [...chosen.keys()],
      onChange: (ids, rows) => {
        const known = new Map([...chosen.values(), ...rows.filter(Boolean)].map((user) => [user.id, user]));
        setChosen(
          new Map(
            ids.flatMap((id) => {
              const user = known.get(Number(id));
              return user === undefined ? [] : [[user.id, user] as const];
            }),
          ),
        );
      },
      getCheckboxProps: ({ name }) => ({ 'aria-label': t('lists.chooseRow', { name }) }),
      getTitleCheckboxProps: () => ({ 'aria-label': t('lists.chooseAll') }),
    },
  };
}

/** The same without some of them. */
export const without = (chosen: ChosenUsers, ids: readonly number[]): ChosenUsers =>
  new Map([...chosen].filter(([id]) => !ids.includes(id)));
