import { Button, Drawer, Flex, Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { uniqueId } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useUrlState } from '../../../shared/url-state';
import { useFollowUp } from '../../parts/use-follow-up';
import { useFormMutation } from '../../parts/use-form-mutation';
import { DEVICE_QUERIES } from '../devices-query';
import { useGroupOption } from '../use-group-option';
import { DeviceFields, type DeviceValues, placeOfDeviceError, toBody } from './device-fields';
import { ErrorAlert } from '../../parts/error-alert';

/** Form for a new device (`?new=1`). */
export function CreateDevice() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const close = (): void => url.set({ new: null });
  return (
    <Drawer
      open={url.text('new') === '1'}
      size={480}
      destroyOnHidden
      title={t('devices.create')}
      onClose={close}
    >
      <CreateForm onCreated={(id) => url.set({ new: null, device: id })} onCancel={close} />
    </Drawer>
  );
}

function CreateForm({ onCreated, onCancel }: { onCreated: (id: number) => void; onCancel: () => void }) {
  const { t } = useTranslation('panel');
  const [form] = Form.useForm<DeviceValues>();
  const group = useGroupOption(useUrlState().number('group_id'));
  // Prevents duplicates when the form is sent again after a lost response.
  const [idempotencyKey] = useState(uniqueId);
  const followUp = useFollowUp();
  const { submit, isPending, error } = useFormMutation(
    form,
    async (values: DeviceValues) => {
      const { id } = await callboard.devices.create({ body: toBody(values), idempotencyKey });
      const adding =
        group === null
          ? undefined
          : callboard.deviceGroups.addGroupDevices({
              path: { id: group.value },
              body: { device_ids: [id] },
            });
      await followUp(adding, {
        done: t('devices.created'),
        warning: (reason) => t('devices.createdOutside', { reason }),
      });
      onCreated(id);
    },
    {
      changes: DEVICE_QUERIES,
      placeOf: placeOfDeviceError,
    },
  );
  return (
    <Form<DeviceValues>
      form={form}
      layout="vertical"
      initialValues={{ name: '', serial_no: '', status: true, user: null }}
      onFinish={(values) => void submit(values)}
    >
      {group !== null && <p className="soft">{t('devices.goesInto', { group: group.label })}</p>}
      <ErrorAlert error={error} />
      <DeviceFields />
      <Flex gap="small" justify="end">
        <Button onClick={onCancel}>{t('parts.cancel')}</Button>
        <Button type="primary" htmlType="submit" loading={isPending}>
          {t('parts.create')}
        </Button>
      </Flex>
    </Form>
  );
}
