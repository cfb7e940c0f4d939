import { App, Flex, Form, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { useUrlState } from '../../../shared/url-state';
import { type ListSelection, type SelectedRows, deselect } from '../../parts/tables/row-selection';
import { ErrorAlert } from '../../parts/error-alert';
import { GroupPicker, type PickerOption } from '../../parts/remote-picker';
import { DEVICE_QUERIES } from '../devices-query';
import { useGroupOption } from '../use-group-option';
import { BulkError } from './bulk-error';
import { missingDevices } from './missing-devices';

export const GROUP_CHANGES = ['add', 'move', 'remove'] as const;
export type GroupChange = (typeof GROUP_CHANGES)[number];

interface Props {
  change: GroupChange;
  selected: SelectedRows<DeviceResponse>;
  onSelect: ListSelection<DeviceResponse>['select'];
  onClose: () => void;
}

/** Adds the selected devices to a group, removes them from one, or moves them. */
export function GroupDialog({ change, selected, onSelect, onClose }: Props) {
  const { t } = useTranslation('panel');
  const { message } = App.useApp();
  const regroup = useRegroup();
  // Preselects the group by which the list is filtered.
  const filterGroup = useGroupOption(useUrlState().number('group_id'));
  const [pickedSource, setPickedSource] = useState<PickerOption | null>();
  const [target, setTarget] = useState<PickerOption | null>(null);
  const [isChecked, setChecked] = useState(false);
  const source = pickedSource === undefined ? filterGroup : pickedSource;
  const total = selected.size;
  const changing = useServiceMutation(
    async () => {
      const device_ids = [...selected.keys()];
      void message.success(await regroup({ change, device_ids, source, target }));
      onSelect((now) => deselect(now, device_ids));
      onClose();
    },
    { changes: DEVICE_QUERIES },
  );
  const missing = missingDevices(changing.error);
  const isComplete = (change === 'add' || source !== null) && (change === 'remove' || target !== null);
  const submit = async (): Promise<void> => {
    changing.reset();
    setChecked(true);
    if (isComplete) await changing.run();
  };
  const problemOf = (pick: PickerOption | null) =>
    isChecked && pick === null
      ? ({ validateStatus: 'error', help: t('devices.bulk.pickGroup') } as const)
      : {};
  return (
    <Modal
      open
      title={t(`devices.bulk.${change}.title`, { count: total, total })}
      okText={t(`devices.bulk.${change}.ok`)}
      cancelText={t('parts.cancel')}
      confirmLoading={changing.isPending}
      okButtonProps={{ disabled: total === 0 }}
      onOk={() => void submit()}
      onCancel={onClose}
    >
      <Flex vertical gap="small">
        <p className="soft">{t(`devices.bulk.${change}.hint`)}</p>
        {missing.length === 0 && <ErrorAlert error={changing.error} />}
        {missing.length > 0 && (
          <BulkError
            hint={change === 'move' ? 'notInGroup' : 'gone'}
            names={missing.map((id) => selected.get(id)?.name ?? String(id))}
            onDeselect={() => {
              changing.reset();
              onSelect(deselect(selected, missing));
            }}
          />
        )}
        <Form layout="vertical" onFinish={() => void submit()}>
          {change !== 'add' && (
            <Form.Item label={t('devices.bulk.from')} htmlFor="leaving" {...problemOf(source)}>
              <GroupPicker
                id="leaving"
                value={source}
                onChange={([picked]) => setPickedSource(picked ?? null)}
              />
            </Form.Item>
          )}
          {change !== 'remove' && (
            <Form.Item label={t('devices.bulk.to')} htmlFor="joining" {...problemOf(target)}>
              <GroupPicker id="joining" value={target} onChange={([picked]) => setTarget(picked ?? null)} />
            </Form.Item>
          )}
        </Form>
      </Flex>
    </Modal>
  );
}

interface Regrouping {
  change: GroupChange;
  device_ids: number[];
  source: PickerOption | null;
  target: PickerOption | null;
}

/** Returns a function that changes the groups, and resolves with the success message. */
function useRegroup(): (regrouping: Regrouping) => Promise<string> {
  const { t } = useTranslation('panel');
  return async ({ change, device_ids, source, target }) => {
    const total = device_ids.length;
    if (change === 'add') {
      await callboard.deviceGroups.addGroupDevices({
        path: { id: target?.value ?? 0 },
        body: { device_ids },
      });
      return t('devices.bulk.add.done', { count: total, total, group: target?.label ?? '' });
    }
    if (change === 'remove') {
      const path = { id: source?.value ?? 0 };
      await callboard.deviceGroups.removeGroupDevices({ path, body: { device_ids } });
      return t('devices.bulk.remove.done', { count: total, total, group: source?.label ?? '' });
    }
    const { affected } = await callboard.deviceGroups.moveGroupDevices({
      path: { id: target?.value ?? 0 },
      body: { device_ids, from_group_id: source?.value ?? 0 },
    });
    return t('devices.bulk.move.done', { count: affected, affected, group: target?.label ?? '' });
  };
}
