import { useTranslation } from 'react-i18next';
import { Link, useSearch } from 'wouter';
import type { DeviceResponse } from '@callboard/client';
import { useFormat } from '../format';
import { UserName } from '../parts/people/user-name';
import type { ListColumn } from '../parts/tables/list-column';
import { Battery, DevicePresence, DeviceStatus, GroupNames } from './device-states';

/** Columns of the device list, in display order. */
export function useDeviceColumns(): ListColumn<DeviceResponse>[] {
  const { t } = useTranslation('panel');
  const format = useFormat();
  return [
    { key: 'name', title: t('devices.name'), render: (device) => <NameCell device={device} /> },
    {
      key: 'id',
      title: t('devices.columns.id'),
      render: ({ id }) => id,
      isSortable: true,
      isOptional: true,
    },
    {
      key: 'serial_no',
      title: t('devices.columns.serial_no'),
      render: ({ serial_no }) => serial_no ?? '–',
      isSortable: true,
    },
    {
      key: 'groups',
      title: t('devices.columns.groups'),
      render: ({ groups }) => <GroupNames groups={groups} />,
    },
    {
      key: 'status',
      title: t('devices.columns.status'),
      render: ({ status }) => <DeviceStatus status={status} />,
      isSortable: true,
    },
    {
      key: 'presence',
      title: t('devices.columns.presence'),
      render: (device) => <DevicePresence {...device} />,
    },
    {
      key: 'user_id',
      title: t('devices.columns.user_id'),
      render: ({ user_id }) => (user_id === null ? '–' : <UserName id={user_id} />),
      isOptional: true,
    },
    {
      key: 'version',
      title: t('devices.columns.version'),
      render: ({ version }) => version ?? '–',
      isOptional: true,
    },
    {
      key: 'battery',
      title: t('devices.columns.battery'),
      render: ({ battery }) => <Battery battery={battery} />,
    },
    {
      key: 'created_at',
      title: t('devices.columns.created_at'),
      render: ({ created_at }) => format.dateTime(created_at),
      isSortable: true,
    },
  ];
}

/** Links to the drawer of the device; also works in a new tab. */
function NameCell({ device: { id, name } }: { device: DeviceResponse }) {
  const params = new URLSearchParams(useSearch());
  params.set('device', String(id));
  return <Link href={`/devices?${params.toString()}`}>{name}</Link>;
}
