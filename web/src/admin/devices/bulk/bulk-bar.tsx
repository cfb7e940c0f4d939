import { App, Button, Flex } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallboardError, DeviceResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { type SelectedRows, deselect } from '../../parts/tables/row-selection';
import { useToastMutation } from '../../parts/use-toast-mutation';
import { useConfirm } from '../../parts/use-confirm';
import { DEVICE_QUERIES } from '../devices-query';
import { BulkError } from './bulk-error';
import { GROUP_CHANGES, GroupDialog, type GroupChange } from './group-dialog';
import { missingDevices } from './missing-devices';
import { sampleNames } from './sample-names';

interface Props {
  selected: SelectedRows<DeviceResponse>;
  onSelect: (selected: SelectedRows<DeviceResponse>) => void;
}

/** Maximum number of devices that the service changes in one request. */
const MAX_DEVICES = 500;

/** Actions on all selected devices, including those on other pages. */
export function BulkBar({ selected, onSelect }: Props) {
  const { t } = useTranslation('panel');
  const { message } = App.useApp();
  const confirm = useConfirm();
  const [missing, setMissing] = useState<readonly number[]>([]);
  const [regrouping, setRegrouping] = useState<GroupChange>();
  const total = selected.size;
  const device_ids = [...selected.keys()];
  const options = {
    changes: DEVICE_QUERIES,
    onError: (error: CallboardError): boolean => {
      setMissing(missingDevices(error));
      return missingDevices(error).length > 0;
    },
  };
  const setting = useToastMutation(async (status: 0 | 1) => {
    const { affected } = await callboard.devices.changeMany({ body: { device_ids, status } });
    void message.success(t(status === 1 ? 'devices.bulk.isOn' : 'devices.bulk.isOff', { affected, total }));
    onSelect(new Map());
  }, options);
  const deleting = useToastMutation(async () => {
    const { affected } = await callboard.devices.deleteMany({ body: { device_ids } });
    void message.success(t('devices.bulk.deleted', { count: affected, affected }));
    onSelect(new Map());
  }, options);
  const isBusy = total > MAX_DEVICES || setting.isPending || deleting.isPending;

  const select = (next: SelectedRows<DeviceResponse>): void => {
    setMissing([]);
    onSelect(next);
  };
  const disable = async (): Promise<void> => {
    setMissing([]);
    const question = {
      title: t('devices.bulk.askDisable', { count: total, total }),
      content: t('devices.bulk.disableHint'),
      ok: t('devices.disable'),
    };
    if (await confirm(question)) await setting.run(0);
  };
  const remove = async (): Promise<void> => {
    setMissing([]);
    const { names, more } = sampleNames(selected);
    const question = {
      title: t('devices.bulk.askDelete', { count: total, total }),
      content: t(more > 0 ? 'devices.bulk.deleteMany' : 'devices.bulk.deleteFew', {
        count: total,
        names,
        more,
      }),
      ok: t('devices.bulk.delete', { count: total, total }),
    };
    if (await confirm(question)) await deleting.run();
  };

  if (total === 0) return <output className="for-screen-readers">{t('devices.bulk.none')}</output>;
  return (
    <section className="bulk-bar" aria-label={t('devices.bulk.title')}>
      <Flex gap="small" align="center" wrap>
        <output>{t('devices.bulk.chosen', { total })}</output>
        <Button disabled={isBusy} onClick={() => void setting.run(1)}>
          {t('devices.enable')}
        </Button>
        <Button disabled={isBusy} onClick={() => void disable()}>
          {t('devices.disable')}
        </Button>
        {GROUP_CHANGES.map((change) => (
          <Button key={change} disabled={isBusy} onClick={() => setRegrouping(change)}>
            {t(`devices.bulk.${change}.open`)}
          </Button>
        ))}
        <Button danger disabled={isBusy} onClick={() => void remove()}>
          {t('devices.delete')}
        </Button>
        <Button type="link" onClick={() => select(new Map())}>
          {t('devices.bulk.clear')}
        </Button>
        {total > MAX_DEVICES && <span role="alert">{t('devices.bulk.tooMany', { most: MAX_DEVICES })}</span>}
      </Flex>
      {missing.length > 0 && (
        <BulkError
          hint="gone"
          names={missing.map((id) => selected.get(id)?.name ?? String(id))}
          onDeselect={() => select(deselect(selected, missing))}
        />
      )}
      {regrouping !== undefined && (
        <GroupDialog
          key={regrouping}
          change={regrouping}
          selected={selected}
          onSelect={select}
          onClose={() => setRegrouping(undefined)}
        />
      )}
    </section>
  );
}
