import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallboardError } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useUrlState } from '../../../shared/url-state';
import { ImportDrawer, type ImportEvents } from '../../parts/import/import-drawer';
import type { ImportSource } from '../../parts/import/import-source';
import { ImportSteps } from '../../parts/import/import-steps';
import { GroupPicker, type PickerOption } from '../../parts/remote-picker';
import { DEVICE_QUERIES } from '../devices-query';
import { useGroupOption } from '../use-group-option';

/** Imports devices from a file. */
export function DeviceImport() {
  const { t } = useTranslation('panel');
  return (
    <ImportDrawer title={t('devices.import.title')}>
      {(events) => <DeviceImportSteps {...events} />}
    </ImportDrawer>
  );
}

function DeviceImportSteps(events: ImportEvents) {
  const { t } = useTranslation('panel');
  const id = useId();
  const filterGroup = useGroupOption(useUrlState().number('group_id'));
  const [pickedGroup, setGroup] = useState<PickerOption | null>();
  const group = pickedGroup === undefined ? filterGroup : pickedGroup;
  return (
    <ImportSteps
      {...events}
      source={useDeviceSource(group?.value)}
      options={
        <div>
          <label htmlFor={id}>{t('devices.import.group')}</label>
          <GroupPicker
            id={id}
            placeholder={t('devices.import.noGroup')}
            style={{ width: '100%' }}
            value={group}
            onChange={([picked]) => setGroup(picked ?? null)}
          />
          <p className="soft">{t('devices.import.groupHint')}</p>
        </div>
      }
    />
  );
}

/** @param groupId a group to which all devices of the file are added */
function useDeviceSource(groupId: number | undefined): ImportSource {
  const { t } = useTranslation('panel');
  return {
    kind: 'devices',
    columns: {
      key: 'serial_no',
      read: ['serial_no', 'name', 'status', 'group_ids', 'group_path', 'user_id'],
      ignored: ['id', 'created_at', 'online', 'last_seen_at', 'version', 'battery', 'groups'],
    },
    template: ['serial_no', 'name', 'status', 'group_path'],
    parameters: groupId,
    changes: DEVICE_QUERIES,
    linesPerRequest: Infinity,
    send: async ({ bytes }, { isDryRun, signal }) =>
      callboard.devices.import({
        body: bytes,
        query: { ...(isDryRun && { dry_run: 1 }), ...(groupId !== undefined && { group_id: groupId }) },
        signal,
      }),
    describeError: ({ field, key }: CallboardError, { fallback }) => {
      if (field === 'name' && key === 'EMPTY') return t('devices.import.wrong.noName');
      if (field === 'status') return t('imports.status');
      if (field === 'group_ids' && key === 'INVALID') return t('devices.import.wrong.groupIds');
      if (field === 'group_path') return t('devices.import.wrong.groupPath');
      return field === 'user_id' ? t('devices.import.wrong.userId') : fallback;
    },
  };
}
