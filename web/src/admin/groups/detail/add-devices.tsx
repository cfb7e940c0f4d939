import { Button, Flex } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../shared/callboard';
import { DevicePicker, type PickerOption } from '../../parts/remote-picker';
import { useToastMutation } from '../../parts/use-toast-mutation';
import { GROUP_QUERIES } from '../use-group-tree';

/** Adds the picked devices to a group, all or none. */
export function AddDevices({ id }: { id: number }) {
  const { t } = useTranslation('panel');
  const [picked, setPicked] = useState<PickerOption[]>([]);
  const adding = useToastMutation(
    (device_ids: number[]) => callboard.deviceGroups.addGroupDevices({ path: { id }, body: { device_ids } }),
    { done: t('groups.devicesAdded', { count: picked.length }), changes: GROUP_QUERIES },
  );
  const add = async (): Promise<void> => {
    const added = picked.map(({ value }) => value);
    // Others may have been picked meanwhile.
    if (await adding.run(added)) setPicked((now) => now.filter(({ value }) => !added.includes(value)));
  };
  return (
    <Flex gap="small">
      <DevicePicker
        isMultiple
        aria-label={t('groups.devicesToAdd')}
        value={picked}
        onChange={setPicked}
        style={{ flex: 1, minWidth: 0 }}
      />
      <Button disabled={picked.length === 0} loading={adding.isPending} onClick={() => void add()}>
        {t('groups.addDevices')}
      </Button>
    </Flex>
  );
}
