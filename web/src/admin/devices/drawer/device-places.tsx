import { Button, Flex, Typography } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { GroupPicker, type Pick } from '../../parts/remote-picker';
import { useToastMutation } from '../../parts/use-toast-mutation';
import { wayTo } from '../device-states';
import { CHANGED_WITH_DEVICES } from '../devices-query';

/** The groups of a device; adds it to a group or removes it from one. */
export function DevicePlaces({ device: { id, groups } }: { device: DeviceResponse }) {
  const { t } = useTranslation('panel');
  const title = useRef<HTMLHeadingElement>(null);
  const [joining, setJoining] = useState<Pick | null>(null);
  const body = { device_ids: [id] };
  const adding = useToastMutation(
    async (group: Pick) => {
      await callboard.deviceGroups.addGroupDevices({ path: { id: group.value }, body });
      setJoining(null);
    },
    { done: t('devices.added', { group: joining?.label ?? '' }), changes: CHANGED_WITH_DEVICES },
  );
  const leaving = useToastMutation(
    async (groupId: number) => {
      await callboard.deviceGroups.removeGroupDevices({ path: { id: groupId }, body });
      // The pressed button disappears with its row.
      title.current?.focus();
    },
    { done: t('devices.takenOut'), changes: CHANGED_WITH_DEVICES },
  );
  return (
    <section aria-labelledby="device-places">
      <Typography.Title level={2} id="device-places" className="section-title" tabIndex={-1} ref={title}>
        {t('devices.columns.groups')}
      </Typography.Title>
      {groups.length === 0 && <p className="soft">{t('devices.noGroup')}</p>}
      <ul className="device-places" aria-labelledby="device-places">
        {groups.map((group) => (
          <li key={group.id}>
            <span>{wayTo(group)}</span>
            <Button
              size="small"
              disabled={leaving.isPending}
              aria-label={t('devices.takeOutOf', { group: group.name })}
              onClick={() => void leaving.run(group.id)}
            >
              {t('devices.takeOut')}
            </Button>
          </li>
        ))}
      </ul>
      <Flex gap="small">
        <GroupPicker
          aria-label={t('devices.addTo')}
          placeholder={t('devices.addTo')}
          style={{ flex: 1, minWidth: 0 }}
          value={joining}
          onChange={([picked]) => setJoining(picked ?? null)}
        />
        <Button
          disabled={joining === null}
          loading={adding.isPending}
          onClick={() => joining && void adding.run(joining)}
        >
          {t('devices.add')}
        </Button>
      </Flex>
    </section>
  );
}
