import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { DeviceResponse } from '@callboard/client';
import { useFormat } from '../format';
import { Status } from '../parts/status';

/** Whether a device is enabled by administrators. */
export function DeviceStatus({ status }: Pick<DeviceResponse, 'status'>) {
  const { t } = useTranslation('panel');
  return status === 1 ? (
    <Status kind="success" label={t('devices.enabled')} />
  ) : (
    <Status kind="error" label={t('devices.disabled')} />
  );
}

/** Whether a device is online, otherwise when it was last seen. */
export function DevicePresence({ online, last_seen_at }: Pick<DeviceResponse, 'online' | 'last_seen_at'>) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  if (online) return <Status kind="success" label={t('devices.online')} />;
  const word =
    last_seen_at === null ? t('devices.neverSeen') : t('devices.seen', { at: format.dateTime(last_seen_at) });
  return <Status kind="default" label={word} />;
}

const LOW_PERCENT = 20;

/** Battery level. */
export function Battery({ battery }: Pick<DeviceResponse, 'battery'>) {
  const { t } = useTranslation('panel');
  if (battery === null) return '–';
  return battery <= LOW_PERCENT ? (
    <Status kind="warning" label={t('devices.batteryLow', { battery })} />
  ) : (
    `${battery} %`
  );
}

/** The groups of a device; hovering over one shows its full path. */
export function GroupNames({ groups }: Pick<DeviceResponse, 'groups'>) {
  const { t } = useTranslation('panel');
  if (groups.length === 0) return <span className="soft">{t('devices.noGroup')}</span>;
  return groups.map((group, index) => (
    <span key={group.id} title={groupPath(group)}>
      {index > 0 && ', '}
      <Link href={`/groups?group=${group.id}`}>{group.name}</Link>
    </span>
  ));
}

/** Returns the names from the root, as `Building 3 / Unit 1`. */
export const groupPath = ({ name, path }: DeviceResponse['groups'][number]): string =>
  [...path.map((ancestor) => ancestor.name), name].join(' / ');
