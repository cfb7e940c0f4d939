import { useQuery } from '@tanstack/react-query';
import { Button, Drawer, Flex, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import type { DeviceResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { toCallboardError } from '../../../shared/session';
import { useUrlState } from '../../../shared/url-state';
import { LatestEntries } from '../../parts/audit/latest-entries';
import { ErrorAlert } from '../../parts/error-alert';
import { useToastMutation } from '../../parts/use-toast-mutation';
import { useConfirm } from '../../parts/use-confirm';
import { DEVICE_QUERIES, deviceKey } from '../devices-query';
import { DeviceFacts } from './device-facts';
import { DeviceGroups } from './device-groups';
import { EditDevice } from './edit-device';

const NOT_FOUND = 404;
const REFETCH_MS = 10_000;

/** Everything about one device (`?device=7`). */
export function DeviceDrawer() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const id = url.number('device');
  const close = (): void => url.set({ device: null });
  const { data, error, refetch } = useQuery({
    queryKey: deviceKey(id ?? 0),
    queryFn: ({ signal }) => callboard.devices.get({ path: { id: id ?? 0 }, signal }),
    enabled: id !== undefined,
    refetchInterval: REFETCH_MS,
  });
  const isGone = error !== null && toCallboardError(error).code === NOT_FOUND;
  const device = isGone ? undefined : data;
  return (
    <Drawer
      open={id !== undefined}
      size={520}
      title={device?.name ?? t('devices.one')}
      onClose={close}
      extra={device && <DeleteDevice device={device} onDeleted={close} />}
    >
      <Flex vertical gap="middle">
        <ErrorAlert
          error={error}
          advice={isGone ? t('devices.goneHint') : undefined}
          onRetry={isGone ? undefined : () => void refetch()}
        />
        {device === undefined && error === null && <Skeleton active />}
        {device !== undefined && (
          <div key={device.id}>
            <DeviceFacts device={device} />
            <DeviceGroups device={device} />
            <EditDevice device={device} />
            <section aria-labelledby="device-history">
              <h2 id="device-history" className="drawer-heading">
                {t('audit.latest')}
              </h2>
              <LatestEntries filters={{ object_type: 'device', object_id: String(device.id) }} />
            </section>
          </div>
        )}
      </Flex>
    </Drawer>
  );
}

function DeleteDevice({
  device: { id, name },
  onDeleted,
}: {
  device: DeviceResponse;
  onDeleted: () => void;
}) {
  const { t } = useTranslation('panel');
  const confirm = useConfirm();
  const deleting = useToastMutation(
    async () => {
      await callboard.devices.delete({ path: { id } });
      // Must be called before the queries are refetched, so that the deleted device is not requested.
      onDeleted();
    },
    { done: t('devices.deleted', { name }), changes: DEVICE_QUERIES },
  );
  const remove = async (): Promise<void> => {
    const question = {
      title: t('devices.askDelete', { name }),
      content: t('devices.deleteHint'),
      ok: t('devices.delete'),
    };
    if (await confirm(question)) await deleting.run();
  };
  return (
    <Button danger loading={deleting.isPending} onClick={() => void remove()}>
      {t('devices.delete')}
    </Button>
  );
}
