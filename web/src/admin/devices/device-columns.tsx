import type { TableColumnsType } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link, useSearch } from 'wouter';
import type { DeviceResponse } from '@callboard/client';
import { useFormat } from '../format';
import { useUrlState } from '../../shared/url-state';
import { oneOf } from '../parts/filters/one-of';
import { UserName } from '../parts/people/user-name';
import { Battery, DevicePresence, DeviceStatus, GroupNames } from './device-states';
import { SORTED_BY } from './devices-query';

export const DEVICE_COLUMNS = [
  'id',
  'serial_no',
  'groups',
  'status',
  'presence',
  'user_id',
  'version',
  'battery',
  'created_at',
] as const;
export type DeviceColumn = (typeof DEVICE_COLUMNS)[number];

export const DEFAULT_COLUMNS: readonly DeviceColumn[] = [
  'serial_no',
  'groups',
  'status',
  'presence',
  'battery',
  'created_at',
];

type Column = TableColumnsType<DeviceResponse>[number];

/** Returns the selected columns after the name, which is always shown. */
export function useDeviceColumns(visible: readonly DeviceColumn[]): TableColumnsType<DeviceResponse> {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const sort = useUrlState().text('sort') ?? '';
  const columns: Record<DeviceColumn, Column['render']> = {
    id: (_, { id }) => id,
    serial_no: (_, { serial_no }) => serial_no ?? '–',
    groups: (_, { groups }) => <GroupNames groups={groups} />,
    status: (_, { status }) => <DeviceStatus status={status} />,
    presence: (_, device) => <DevicePresence {...device} />,
    user_id: (_, { user_id }) => (user_id === null ? '–' : <UserName id={user_id} />),
    version: (_, { version }) => version ?? '–',
    battery: (_, { battery }) => <Battery battery={battery} />,
    created_at: (_, { created_at }) => format.dateTime(created_at),
  };
  const shown = visible.map((key): Column => {
    const column: Column = { key, title: t(`devices.columns.${key}`), render: columns[key] };
    const field = oneOf(SORTED_BY, key);
    if (field === undefined) return column;
    return {
      ...column,
      sorter: true,
      sortOrder: ({ [field]: 'ascend', [`-${field}`]: 'descend' } as const)[sort],
    };
  });
  return [
    {
      key: 'name',
      title: t('devices.name'),
      render: (_, device) => <NameCell device={device} />,
    },
    ...shown,
  ];
}

/** Links to the drawer of the device; also works in a new tab. */
function NameCell({ device: { id, name } }: { device: DeviceResponse }) {
  const params = new URLSearchParams(useSearch());
  params.set('device', String(id));
  return <Link href={`/devices?${params.toString()}`}>{name}</Link>;
}
