import { Form, Input, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import type { CallboardError, CreateDeviceRequest, ServiceErrorKey } from '@callboard/client';
import type { ErrorPlace } from '../../parts/field-errors';
import { type PickerOption, UserPicker } from '../../parts/remote-picker';

export interface DeviceValues {
  name: string;
  serial_no: string;
  status: boolean;
  user: PickerOption | null;
}

/** Maximum length that the service accepts. */
const MAX_NAME = 100;
const MAX_SERIAL_NO = 64;

/** Form fields of a device. `keepsSerialNo`: the device has a serial number, which can be changed but not removed. */
export function DeviceFields({ isSerialNoRequired = false }: { isSerialNoRequired?: boolean }) {
  const { t } = useTranslation('panel');
  return (
    <>
      <Form.Item
        name="name"
        label={t('devices.name')}
        rules={[{ required: true, whitespace: true, message: t('devices.needsName') }]}
      >
        <Input maxLength={MAX_NAME} autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="serial_no"
        label={t('devices.serialNo')}
        extra={t('devices.serialNoHint')}
        rules={[{ required: isSerialNoRequired, whitespace: true, message: t('devices.keepsSerialNo') }]}
      >
        <Input maxLength={MAX_SERIAL_NO} autoComplete="off" spellCheck={false} />
      </Form.Item>
      <Form.Item
        name="user"
        label={t('devices.user')}
        extra={t('devices.userHint')}
        normalize={(picked: PickerOption[]) => picked[0] ?? null}
      >
        <UserPicker />
      </Form.Item>
      <Form.Item name="status" label={t('devices.enabled')} valuePropName="checked" layout="horizontal">
        <Switch />
      </Form.Item>
    </>
  );
}

/** Converts the form values to a request body. */
export const toBody = ({ name, serial_no, status, user }: DeviceValues): CreateDeviceRequest => ({
  name: name.trim(),
  status: status ? 1 : 0,
  user_id: user?.value ?? null,
  ...(serial_no.trim() !== '' && { serial_no: serial_no.trim() }),
});

/** Form fields of errors that do not name one. */
const FIELDS: Partial<Record<ServiceErrorKey, keyof DeviceValues>> = {
  SERIAL_NO_TAKEN: 'serial_no',
  USER_HAS_DEVICE: 'user',
  UNKNOWN_USERS: 'user',
};

/** Returns the form field of an error that does not name it. */
export function placeOfDeviceError({ field, key }: CallboardError): ErrorPlace | undefined {
  const formField = field === 'user_id' ? 'user' : key && FIELDS[key];
  return formField && { field: formField };
}
