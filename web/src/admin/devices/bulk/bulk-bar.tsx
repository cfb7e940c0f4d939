import { App, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallboardError, DeviceResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { changeAllMatching } from '../../parts/bulk/change-all-matching';
import { SelectionBar } from '../../parts/bulk/selection-bar';
import { usePartialWarning } from '../../parts/bulk/use-partial-warning';
import { type ListSelection, deselect } from '../../parts/tables/row-selection';
import { useToastMutation } from '../../parts/use-toast-mutation';
import { useConfirm } from '../../parts/use-confirm';
import { DEVICE_QUERIES, type DevicesQuery } from '../devices-query';
import { BulkError } from './bulk-error';
import { GROUP_CHANGES, GroupDialog, type GroupChange } from './group-dialog';
import { missingDevices } from './missing-devices';
import { sampleNames } from './sample-names';

interface Props {
  selection: ListSelection<DeviceResponse>;
  /** Filters of the list, for changes of all matching devices. */
  filters: DevicesQuery;
}

/** Maximum number of devices that the service changes in one request. */
const MAX_DEVICES = 500;

/**
 * Actions on the selected devices, including those on other pages. All devices that match the filters can be enabled and
 * disabled; groups and deletions are for selected ones.
 */
export function BulkBar({ selection, filters }: Props) {
  const { t } = useTranslation('panel');
  const { message } = App.useApp();
  const confirm = useConfirm();
  const warnPartial = usePartialWarning();
  const [missing, setMissing] = useState<readonly number[]>([]);
  const [regrouping, setRegrouping] = useState<GroupChange>();
  const { selected, isAllMatching } = selection;
  const select: typeof selection.select = (next) => {
    setMissing([]);
    selection.select(next);
  };
  const device_ids = [...selected.keys()];
  const options = {
    changes: DEVICE_QUERIES,
    onError: (error: CallboardError): boolean => {
      setMissing(missingDevices(error));
      return missingDevices(error).length > 0;
    },
  };
  const setting = useToastMutation(async (status: 0 | 1, total: number) => {
    const { affected } = isAllMatching
      ? await changeAllMatching(
          (after_id) => callboard.devices.changeMatching({ query: filters, body: { status, after_id } }),
          warnPartial,
        )
      : await callboard.devices.changeMany({ body: { device_ids, status } });
    void message.success(t(status === 1 ? 'devices.bulk.isOn' : 'devices.bulk.isOff', { affected, total }));
    select((now) => deselect(now, device_ids));
  }, options);
  const deleting = useToastMutation(async () => {
    const { affected } = await callboard.devices.deleteMany({ body: { device_ids } });
    void message.success(t('devices.bulk.deleted', { count: affected, affected }));
    select((now) => deselect(now, device_ids));
  }, options);
  const isBusy = setting.isPending || deleting.isPending;

  const set = async (status: 0 | 1, total: number): Promise<void> => {
    setMissing([]);
    const question = {
      title: t(status === 1 ? 'devices.bulk.askEnable' : 'devices.bulk.askDisable', { count: total, total }),
      content: status === 1 ? undefined : t('devices.bulk.disableHint'),
      ok: t(status === 1 ? 'devices.enable' : 'devices.disable'),
    };
    if ((status === 1 && !isAllMatching) || (await confirm(question))) await setting.run(status, total);
  };
  const remove = async (total: number): Promise<void> => {
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

  return (
    <>
      <SelectionBar
        title={t('devices.bulk.title')}
        selection={selection}
        queryKey={['devices', filters]}
        countMatching={async (signal) =>
          (await callboard.devices.list({ query: { ...filters, per_page: 1 }, signal })).pagination.total
        }
        maxRows={MAX_DEVICES}
        isBusy={isBusy}
        footer={
          missing.length > 0 && (
            <BulkError
              hint="gone"
              names={missing.map((id) => selected.get(id)?.name ?? String(id))}
              onDeselect={() => select(deselect(selected, missing))}
            />
          )
        }
      >
        {({ total, isDisabled }) => (
          <>
            <Button disabled={isDisabled} onClick={() => void set(1, total)}>
              {t('devices.enable')}
            </Button>
            <Button disabled={isDisabled} onClick={() => void set(0, total)}>
              {t('devices.disable')}
            </Button>
            {!isAllMatching && (
              <>
                {GROUP_CHANGES.map((change) => (
                  <Button key={change} disabled={isDisabled} onClick={() => setRegrouping(change)}>
                    {t(`devices.bulk.${change}.open`)}
                  </Button>
                ))}
                <Button danger disabled={isDisabled} onClick={() => void remove(total)}>
                  {t('devices.delete')}
                </Button>
              </>
            )}
          </>
        )}
      </SelectionBar>
      {regrouping !== undefined && selected.size > 0 && (
        <GroupDialog
          key={regrouping}
          change={regrouping}
          selected={selected}
          onSelect={select}
          onClose={() => setRegrouping(undefined)}
        />
      )}
    </>
  );
}
