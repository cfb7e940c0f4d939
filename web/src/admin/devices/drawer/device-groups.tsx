import { Button, Flex, Typography } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { GroupPicker, type PickerOption } from '../../parts/remote-picker';
import { useToastMutation } from '../../parts/use-toast-mutation';
import { groupPath } from '../device-states';
import { DEVICE_QUERIES } from '../devices-query';

/** The groups of a device; adds it to a group or removes it from one. */
export function DeviceGroups({ device: { id, groups } }: { device: DeviceResponse }) {
  const { t } = useTranslation('panel');
  const title = useRef<HTMLHeadingElement>(null);
  const [picked, setPicked] = useState<PickerOption | null>(null);
  const body = { device_ids: [id] };
  const adding = useToastMutation(
    async (group: PickerOption) => {
      await callboard.deviceGroups.addGroupDevices({ path: { id: group.value }, body });
      setPicked(null);
    },
    { done: t('devices.added', { group: picked?.label ?? '' }), changes: DEVICE_QUERIES },
  );
  const removing = useToastMutation(
    async (groupId: number) => {
      await callboard.deviceGroups.removeGroupDevices({ path: { id: groupId }, body });
      // The pressed button disappears with its row.
      title.current?.focus();
    },
    { done: t('devices.takenOut'), changes: DEVICE_QUERIES },
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
            <span>{groupPath(group)}</span>
            <Button
              size="small"
              disabled={removing.isPending}
              aria-label={t('devices.takeOutOf', { group: group.name })}
              onClick={() => void removing.run(group.id)}
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
          value={picked}
          onChange={([picked]) => setPicked(picked ?? null)}
        />
        <Button
          disabled={picked === null}
          loading={adding.isPending}
          onClick={() => picked && void adding.run(picked)}
        >
          {t('devices.add')}
        </Button>
      </Flex>
    </section>
  );
}
