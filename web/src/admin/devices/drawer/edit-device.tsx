import { useQuery } from '@tanstack/react-query';
import { Button, Flex, Form, Typography } from 'antd';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { queryClient } from '../../../shared/query-client';
import { changedFields } from '../../parts/changed-fields';
import type { PickerOption } from '../../parts/remote-picker';
import { userQuery } from '../../parts/people/user-name';
import { ErrorAlert } from '../../parts/error-alert';
import { refillForm } from '../../parts/refill-form';
import { useFormMutation } from '../../parts/use-form-mutation';
import { DEVICE_QUERIES, deviceKey } from '../devices-query';
import { DeviceFields, type DeviceValues, placeOfDeviceError, toBody } from './device-fields';

/** Edits a device. Until the first input, the form follows changes made elsewhere. */
export function EditDevice({ device }: { device: DeviceResponse }) {
  const { t } = useTranslation('panel');
  const [form] = Form.useForm<DeviceValues>();
  // Values that filled the form at the first input; undefined before it.
  const [before, setBefore] = useState<DeviceValues>();
  const isTouched = before !== undefined;
  const boundUser = useUserOption(device.user_id);
  const values = useMemo(
    () => toValues({ name: device.name, serial_no: device.serial_no, status: device.status }, boundUser),
    [device.name, device.serial_no, device.status, boundUser],
  );
  useEffect(() => {
    if (!isTouched) form.setFieldsValue(values);
  }, [form, isTouched, values]);
  const { submit, isPending, error, reset } = useFormMutation(
    form,
    async (typed: DeviceValues) => {
      const body = changedFields(toBody(typed), toBody(before ?? values));
      const changed = await callboard.devices.change({ path: { id: device.id }, body });
      queryClient.setQueryData(deviceKey(device.id), changed);
      const saved = toValues(changed, typed.user);
      setBefore(refillForm(form, typed, saved) ? saved : undefined);
    },
    {
      done: t('devices.saved'),
      changes: DEVICE_QUERIES,
      placeOf: placeOfDeviceError,
    },
  );
  return (
    <section aria-labelledby="device-edit">
      <Typography.Title level={2} id="device-edit" className="section-title">
        {t('devices.edit')}
      </Typography.Title>
      <Form<DeviceValues>
        form={form}
        layout="vertical"
        initialValues={values}
        onValuesChange={() => setBefore((filled) => filled ?? values)}
        onFinish={(typed) => void submit(typed)}
      >
        <ErrorAlert error={error} />
        <DeviceFields isSerialNoRequired={device.serial_no !== null} />
        <Flex gap="small" justify="end">
          <Button
            disabled={!isTouched}
            onClick={() => {
              form.setFieldsValue(values);
              setBefore(undefined);
              reset();
            }}
          >
            {t('devices.undo')}
          </Button>
          <Button type="primary" htmlType="submit" loading={isPending}>
            {t('parts.save')}
          </Button>
        </Flex>
      </Form>
    </section>
  );
}

const toValues = (
  { name, serial_no, status }: Pick<DeviceResponse, 'name' | 'serial_no' | 'status'>,
  user: PickerOption | null,
): DeviceValues => ({ name, serial_no: serial_no ?? '', status: status === 1, user });

/** The user of a device as a picker value; it has the id until the name is loaded. */
function useUserOption(id: number | null): PickerOption | null {
  const { t } = useTranslation('panel');
  const { data } = useQuery({ ...userQuery(id ?? 0), enabled: id !== null });
  const label = data?.name ?? t('parts.unnamedUser', { id: id ?? 0 });
  return useMemo(() => (id === null ? null : { value: id, label }), [id, label]);
}
