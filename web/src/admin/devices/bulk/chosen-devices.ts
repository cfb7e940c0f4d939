import type { TableProps } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceResponse } from '@callboard/client';

export type ChosenDevices = ReadonlyMap<number, DeviceResponse>;

interface Choosing {
  chosen: ChosenDevices;
  setChosen: (chosen: ChosenDevices) => void;
  rowSelection: TableProps<DeviceResponse>['rowSelection'];
}

/** The devices that were chosen, on whatever page and under whatever filter they were found. */
export function useChosenDevices(): Choosing {
  const { t } = useTranslation('panel');
  const [chosen, setChosen] = useState<ChosenDevices>(new Map());
  return {
    chosen,
    setChosen,
    rowSelection: {
      preserveSelectedRowKeys: true,
      selectedRowKeys: [...chosen.keys()],
      onChange: (ids, rows) => {
        const known = new Map([...chosen.values(), ...rows.filter(Boolean)].map((one) => [one.id, one]));
        setChosen(
          new Map(
            ids.flatMap((id) => {
              const device = known.get(Number(id));
              return device === undefined ? [] : [[device.id, device] as const];
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
export const without = (chosen: ChosenDevices, ids: readonly number[]): ChosenDevices =>
  new Map([...chosen].filter(([id]) => !ids.includes(id)));

const SHOWN = 5;

/** The first few names, for somebody who is asked whether these are meant. */
export const someNames = (chosen: ChosenDevices): { names: string; more: number } => ({
  names: [...chosen.values()]
    .slice(0, SHOWN)
    .map(({ name }) => name)
    .join(', '),
  more: Math.max(0, chosen.size - SHOWN),
});
