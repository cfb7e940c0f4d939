import { App, Flex, Form, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { useUrlState } from '../../../shared/url-state';
import { type Chosen, without } from '../../parts/tables/chosen-rows';
import { Refusal } from '../../parts/refusal';
import { GroupPicker, type Pick } from '../../parts/remote-picker';
import { CHANGED_WITH_DEVICES } from '../devices-query';
import { useGroupPick } from '../use-group-pick';
import { BulkRefusal } from './bulk-refusal';
import { missingDevices } from './missing-devices';

export const GROUP_CHANGES = ['add', 'move', 'remove'] as const;
export type GroupChange = (typeof GROUP_CHANGES)[number];

interface Props {
  change: GroupChange;
  chosen: Chosen<DeviceResponse>;
  onChoose: (chosen: Chosen<DeviceResponse>) => void;
  onClose: () => void;
}

/** Adds the selected devices to a group, removes them from one, or moves them. */
export function GroupDialog({ change, chosen, onChoose, onClose }: Props) {
  const { t } = useTranslation('panel');
  const { message } = App.useApp();
  const regroup = useRegroup();
  // Preselects the group by which the list is filtered.
  const looked = useGroupPick(useUrlState().number('group_id'));
  const [leaving, setLeaving] = useState<Pick | null>();
  const [joining, setJoining] = useState<Pick | null>(null);
  const [isChecked, setChecked] = useState(false);
  const from = leaving === undefined ? looked : leaving;
  const total = chosen.size;
  const changing = useServiceMutation(
    async () => {
      void message.success(await regroup({ change, device_ids: [...chosen.keys()], from, to: joining }));
      // Must happen before the lists are reloaded: by then the user may have selected other devices.
      onChoose(new Map());
      onClose();
    },
    { changes: CHANGED_WITH_DEVICES },
  );
  const missing = missingDevices(changing.error);
  const isComplete = (change === 'add' || from !== null) && (change === 'remove' || joining !== null);
  const submit = async (): Promise<void> => {
    changing.reset();
    setChecked(true);
    if (isComplete) await changing.run();
  };
  const problemOf = (pick: Pick | null) =>
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
        {missing.length === 0 && <Refusal error={changing.error} />}
        {missing.length > 0 && (
          <BulkRefusal
            hint={change === 'move' ? 'notInGroup' : 'gone'}
            names={missing.map((id) => chosen.get(id)?.name ?? String(id))}
            onTakeOut={() => {
              changing.reset();
              onChoose(without(chosen, missing));
            }}
          />
        )}
        <Form layout="vertical" onFinish={() => void submit()}>
          {change !== 'add' && (
            <Form.Item label={t('devices.bulk.from')} htmlFor="leaving" {...problemOf(from)}>
              <GroupPicker id="leaving" value={from} onChange={([picked]) => setLeaving(picked ?? null)} />
            </Form.Item>
          )}
          {change !== 'remove' && (
            <Form.Item label={t('devices.bulk.to')} htmlFor="joining" {...problemOf(joining)}>
              <GroupPicker id="joining" value={joining} onChange={([picked]) => setJoining(picked ?? null)} />
            </Form.Item>
          )}
        </Form>
      </Flex>
    </Modal>
  );
}

interface Wanted {
  change: GroupChange;
  device_ids: number[];
  from: Pick | null;
  to: Pick | null;
}

/** Returns a function that changes the groups, and resolves with the success message. */
function useRegroup(): (wanted: Wanted) => Promise<string> {
  const { t } = useTranslation('panel');
  return async ({ change, device_ids, from, to }) => {
    const total = device_ids.length;
    if (change === 'add') {
      await callboard.deviceGroups.addGroupDevices({ path: { id: to?.value ?? 0 }, body: { device_ids } });
      return t('devices.bulk.add.done', { count: total, total, group: to?.label ?? '' });
    }
    if (change === 'remove') {
      const path = { id: from?.value ?? 0 };
      await callboard.deviceGroups.removeGroupDevices({ path, body: { device_ids } });
      return t('devices.bulk.remove.done', { count: total, total, group: from?.label ?? '' });
    }
    const { affected } = await callboard.deviceGroups.moveGroupDevices({
      path: { id: to?.value ?? 0 },
      body: { device_ids, from_group_id: from?.value ?? 0 },
    });
    return t('devices.bulk.move.done', { count: affected, affected, group: to?.label ?? '' });
  };
}
