import { Form, type FormInstance, Input, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import type { CreateDeviceRequest, ServiceErrorKey } from '@callboard/client';
import type { Language } from '../../../shared/i18n/i18n';
import { toCallboardError } from '../../../shared/session';
import { showAtField } from '../../parts/field-errors';
import { type Pick, UserPicker } from '../../parts/remote-picker';

export interface DeviceValues {
  name: string;
  serial_no: string;
  status: boolean;
  user: Pick | null;
}

/** As long as the service takes them. */
const MAX_NAME = 100;
const MAX_SERIAL_NO = 64;

/** What administrators say of a device. `keepsSerialNo`: it has one, which can be changed but not taken away. */
export function DeviceFields({ keepsSerialNo = false }: { keepsSerialNo?: boolean }) {
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
        rules={[{ required: keepsSerialNo, whitespace: true, message: t('devices.keepsSerialNo') }]}
      >
        <Input maxLength={MAX_SERIAL_NO} autoComplete="off" spellCheck={false} />
      </Form.Item>
      <Form.Item
        name="user"
        label={t('devices.user')}
        extra={t('devices.userHint')}
        normalize={(picked: Pick[]) => picked[0] ?? null}
      >
        <UserPicker />
      </Form.Item>
      <Form.Item name="status" label={t('devices.enabled')} valuePropName="checked" layout="horizontal">
        <Switch />
      </Form.Item>
    </>
  );
}

/** What was typed, as the service takes it. */
export const toBody = ({ name, serial_no, status, user }: DeviceValues): CreateDeviceRequest => ({
  name: name.trim(),
  status: status ? 1 : 0,
  user_id: user?.value ?? null,
  ...(serial_no.trim() !== '' && { serial_no: serial_no.trim() }),
});

/** Fields of the errors that name none. */
const FIELDS: Partial<Record<ServiceErrorKey, keyof DeviceValues>> = {
  SERIAL_NO_TAKEN: 'serial_no',
  USER_HAS_DEVICE: 'user',
  UNKNOWN_USERS: 'user',
};

/** Shows what the service refuses at the field that it is about; answers whether there is one. */
export function showDeviceProblem(
  form: FormInstance<DeviceValues>,
  thrown: unknown,
  language: Language,
): boolean {
  const error = toCallboardError(thrown);
  const field = error.field === 'user_id' ? 'user' : error.key && FIELDS[error.key];
  if (field === undefined) return showAtField(form, error, language);
  form.setFields([{ name: field, errors: [error.text(language)] }]);
  form.scrollToField(field, { focus: true });
  return true;
}
