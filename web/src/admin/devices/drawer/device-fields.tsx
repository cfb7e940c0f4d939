import { Form, type FormInstance, Input, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import type { CreateDeviceRequest } from '@callboard/client';
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

const CONFLICT = 409;
const SERIAL_NO_TAKEN = '序列号已存在';
const USER_HAS_DEVICE = '用户已绑定其他设备';

/** Shows what the service refuses at the field that it is about; answers whether there is one. */
export function showDeviceProblem(
  form: FormInstance<DeviceValues>,
  thrown: unknown,
  language: Language,
): boolean {
  const error = toCallboardError(thrown);
  const field = ({ [SERIAL_NO_TAKEN]: 'serial_no', [USER_HAS_DEVICE]: 'user' } as const)[error.message];
  if (error.code === CONFLICT && field !== undefined) {
    form.setFields([{ name: field, errors: [error.text(language)] }]);
    form.scrollToField(field, { focus: true });
    return true;
  }
  if (error.code === 422 && /^user_id |^用户不存在/.test(error.message)) {
    form.setFields([{ name: 'user', errors: [error.text(language)] }]);
    return true;
  }
  return showAtField(form, error, language);
}
