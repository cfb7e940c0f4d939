import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { DeviceResponse } from '@callboard/client';
import { useFormat } from '../../format';
import { UserName } from '../../parts/people/user-name';
import { Battery, DevicePresence, DeviceStatus } from '../device-states';

/** Properties of a device, with links to its user and the user's calls. */
export function DeviceFacts({ device }: { device: DeviceResponse }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  return (
    <dl className="facts">
      <dt>{t('devices.columns.id')}</dt>
      <dd>{device.id}</dd>
      <dt>{t('devices.serialNo')}</dt>
      <dd>{device.serial_no ?? '–'}</dd>
      <dt>{t('devices.status')}</dt>
      <dd>
        <DeviceStatus status={device.status} />
      </dd>
      <dt>{t('devices.presence')}</dt>
      <dd>
        <DevicePresence {...device} />
      </dd>
      {device.online && (
        <>
          <dt>{t('devices.lastSeen')}</dt>
          <dd>{format.dateTime(device.last_seen_at)}</dd>
        </>
      )}
      <dt>{t('devices.columns.version')}</dt>
      <dd>{device.version ?? '–'}</dd>
      <dt>{t('devices.columns.battery')}</dt>
      <dd>
        <Battery battery={device.battery} />
      </dd>
      <dt>{t('devices.user')}</dt>
      <dd>
        {device.user_id === null ? (
          t('devices.noUser')
        ) : (
          <>
            <UserName id={device.user_id} />
            {' · '}
            <Link href={`/calls?tab=history&user=${device.user_id}`}>{t('devices.itsCalls')}</Link>
          </>
        )}
      </dd>
      <dt>{t('devices.columns.created_at')}</dt>
      <dd>{format.dateTime(device.created_at)}</dd>
    </dl>
  );
}
