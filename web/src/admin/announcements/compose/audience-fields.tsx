import { Form, Radio } from 'antd';
import { useTranslation } from 'react-i18next';
import { type PickerOption, UserPicker } from '../../parts/remote-picker';
import { type Draft, LIMITS } from './draft';

const AUDIENCES = ['all', 'role', 'picked'] as const;
const ROLES = ['user', 'admin'] as const;

/** Selects the audience of an announcement. */
export function AudienceFields({ audience }: { audience: Draft['audience'] }) {
  const { t } = useTranslation('panel');
  const validateUsers = (_: unknown, picked: PickerOption[] = []): Promise<void> => {
    if (picked.length === 0) return Promise.reject(new Error(t('announcements.required')));
    const isTooMany = picked.length > LIMITS.users;
    return isTooMany
      ? Promise.reject(new Error(t('announcements.pickedMost', { most: LIMITS.users })))
      : Promise.resolve();
  };
  return (
    <>
      <Form.Item name="audience" label={t('announcements.audience')}>
        <Radio.Group options={AUDIENCES.map((value) => ({ value, label: t(`announcements.${value}`) }))} />
      </Form.Item>
      {audience === 'role' && (
        <Form.Item name="role" label={t('announcements.role')}>
          <Radio.Group
            options={ROLES.map((value) => ({ value, label: t(`announcements.audiences.role_${value}`) }))}
          />
        </Form.Item>
      )}
      {audience === 'picked' && (
        <Form.Item
          name="user_ids"
          label={t('announcements.picked')}
          extra={t('announcements.pickedMost', { most: LIMITS.users })}
          rules={[{ validator: validateUsers }]}
        >
          <UserPicker isMultiple style={{ width: '100%' }} />
        </Form.Item>
      )}
    </>
  );
}
