import { Button, Drawer, Flex, Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { uniqueId } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useUrlState } from '../../../shared/url-state';
import { useFormMutation } from '../../parts/use-form-mutation';
import { CHANGED_WITH_DEVICES } from '../devices-query';
import { useGroupPick } from '../use-group-pick';
import { DeviceFields, type DeviceValues, placeOfDeviceError, toBody } from './device-fields';
import { Refusal } from '../../parts/refusal';

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
      <CreateForm onMade={(id) => url.set({ new: null, device: id })} onCancel={close} />
    </Drawer>
  );
}

function CreateForm({ onMade, onCancel }: { onMade: (id: number) => void; onCancel: () => void }) {
  const { t } = useTranslation('panel');
  const [form] = Form.useForm<DeviceValues>();
  const group = useGroupPick(useUrlState().number('group_id'));
  // Prevents duplicates when the form is sent again after a lost response.
  const [idempotencyKey] = useState(uniqueId);
  const { submit, isPending, error } = useFormMutation(
    form,
    async (values: DeviceValues) => {
      const { id } = await callboard.devices.create({ body: toBody(values), idempotencyKey });
      if (group !== null)
        await callboard.deviceGroups.addGroupDevices({
          path: { id: group.value },
          body: { device_ids: [id] },
        });
      onMade(id);
    },
    {
      done: t('devices.created'),
      changes: CHANGED_WITH_DEVICES,
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
      <Refusal error={error} />
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
