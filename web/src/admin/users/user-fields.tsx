import { Form, Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { ROLES } from './users-query';

export interface UserValues {
  account: string;
  name: string;
  avatar: string;
  role: 'admin' | 'user';
  external_id: string;
}

/** Form fields of a new or existing user. The service validates them. */
export function UserFields() {
  const { t } = useTranslation(['panel', 'shared']);
  return (
    <>
      <Form.Item<UserValues> name="name" label={t('users.name')} required>
        <Input autoComplete="off" />
      </Form.Item>
      <Form.Item<UserValues> name="role" label={t('users.role')} extra={t('users.roleHint')}>
        <Select options={ROLES.map((role) => ({ value: role, label: t(`shared:roles.${role}`) }))} />
      </Form.Item>
      <Form.Item<UserValues> name="avatar" label={t('users.avatar')} extra={t('users.avatarHint')}>
        <Input type="url" autoComplete="off" />
      </Form.Item>
      <Form.Item<UserValues>
        name="external_id"
        label={t('users.externalId')}
        extra={t('users.externalIdHint')}
      >
        <Input autoComplete="off" />
      </Form.Item>
    </>
  );
}
