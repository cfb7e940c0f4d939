import { Button, Flex, Switch, Typography } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { DeviceResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useUrlState } from '../../../shared/url-state';
import { deselect, useListSelection } from '../../parts/tables/row-selection';
import { PagedTable } from '../../parts/tables/paged-table';
import { Status } from '../../parts/status';
import { useToastMutation } from '../../parts/use-toast-mutation';
import type { Dialog } from '../dialogs/group-dialogs';
import type { Dragging } from '../model/drag';
import { showBesidePointer } from '../tree/use-tree-drag';
import { GROUP_QUERIES, GROUPS_KEY } from '../use-group-tree';
import { AddDevices } from './add-devices';

interface Props {
  id: number;
  dragging: Dragging;
  onDialog: (dialog: Dialog) => void;
}

const idsOf = (devices: readonly DeviceResponse[]): number[] => devices.map(({ id }) => id);

/** The devices of a group, with pagination. Devices that are directly in the group can be moved. */
export function GroupDevices({ id, dragging, onDialog }: Props) {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const isBelow = url.number('below') === 1;
  const selection = useListSelection<DeviceResponse>();
  const selected = [...selection.selected.values()];
  const clear = (): void => selection.select(new Map());
  const removing = useToastMutation(
    () =>
      callboard.deviceGroups.removeGroupDevices({
        path: { id },
        body: { device_ids: idsOf(selected) },
      }),
    { done: t('groups.devicesRemoved', { count: selected.length }), changes: GROUP_QUERIES },
  );
  const remove = async (): Promise<void> => {
    if (await removing.run()) selection.select((before) => deselect(before, idsOf(selected)));
  };
  const take = (device: DeviceResponse): DeviceResponse[] =>
    selected.some((each) => each.id === device.id) ? selected : [device];

  return (
    <Flex vertical gap="small">
      <Flex justify="space-between" gap="small" wrap align="center">
        <Typography.Title level={3} style={{ margin: 0, fontSize: '1.05rem' }}>
          {t('groups.devices')}
        </Typography.Title>
        <Flex gap="small" align="center">
          <Switch
            id="devices-below"
            size="small"
            checked={isBelow}
            onChange={(isOn) => {
              clear();
              url.set({ below: isOn, page: null });
            }}
          />
          <label htmlFor="devices-below">{t('groups.withBelow')}</label>
        </Flex>
      </Flex>
      <AddDevices id={id} />
      {!isBelow && (
        <Flex gap="small" wrap align="center">
          <Button
            disabled={selected.length === 0}
            onClick={() =>
              onDialog({
                kind: 'move-devices',
                devices: selected,
                fromGroupId: id,
                onMoved: clear,
              })
            }
          >
            {t('groups.moveDevicesTo')}
          </Button>
          <Button disabled={selected.length === 0} loading={removing.isPending} onClick={() => void remove()}>
            {t('groups.removeDevices')}
          </Button>
          <Typography.Text type="secondary">
            {selected.length === 0
              ? t('groups.dragDevices')
              : t('groups.selectedDevices', { count: selected.length })}
          </Typography.Text>
          {selected.length > 0 && (
            <Button type="link" onClick={clear}>
              {t('lists.clearSelection')}
            </Button>
          )}
        </Flex>
      )}
      <PagedTable<DeviceResponse>
        queryKey={[GROUPS_KEY, 'devices', id, isBelow]}
        fetch={(page, signal) =>
          callboard.deviceGroups.listGroupDevices({
            path: { id },
            query: { ...page, recursive: isBelow ? 1 : 0 },
            signal,
          })
        }
        rowKey="id"
        selection={isBelow ? undefined : selection}
        onRow={(device) =>
          isBelow
            ? {}
            : {
                draggable: true,
                className: 'device-row',
                onDragStart: (event) => {
                  const devices = take(device);
                  const onMoved = (): void => selection.select((before) => deselect(before, idsOf(devices)));
                  dragging.set({ kind: 'devices', devices, fromGroupId: id, onMoved });
                  event.dataTransfer.effectAllowed = 'move';
                  showBesidePointer(event, t('groups.someDevices', { count: devices.length }));
                },
                onDragEnd: () => dragging.set(null),
              }
        }
        view={{
          columns: [
            {
              key: 'name',
              title: t('groups.name'),
              // Not draggable: the browser would drag the link instead of the row.
              render: (device) => (
                <Link href={`/devices?device=${device.id}`} draggable={false}>
                  {device.name}
                </Link>
              ),
            },
            {
              key: 'serial_no',
              title: t('groups.serialNo'),
              render: ({ serial_no }) => serial_no ?? '–',
            },
            {
              key: 'status',
              title: t('groups.status'),
              render: ({ status }) => (
                <Status
                  kind={status === 1 ? 'success' : 'default'}
                  label={t(status === 1 ? 'groups.enabled' : 'groups.disabled')}
                />
              ),
            },
            {
              key: 'online',
              title: t('groups.connection'),
              render: ({ online }) => (
                <Status
                  kind={online ? 'processing' : 'default'}
                  label={t(online ? 'groups.online' : 'groups.offline')}
                />
              ),
            },
          ],
        }}
      />
    </Flex>
  );
}
