import { Button, Flex, Form, Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import type { AdminUserResponse, ChangeUserRequest } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useFormat } from '../../format';
import { queryClient } from '../../../shared/query-client';
import { userQuery } from '../../parts/people/user-name';
import { ErrorAlert } from '../../parts/error-alert';
import { useFormMutation } from '../../parts/use-form-mutation';
import { UserFields, type UserValues } from '../user-fields';
import { useUserConflicts } from '../use-user-conflicts';

type EditedUser = UserValues & { status: 0 | 1 };

export function EditUser({ user }: { user: AdminUserResponse }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const [form] = Form.useForm<EditedUser>();
  const { submit, isPending, error } = useFormMutation(
    form,
    async (values: EditedUser) => {
      const body = findChanges(values, toValues(user));
      const changed = await callboard.users.change({ path: { id: user.id }, body });
      queryClient.setQueryData(userQuery(user.id).queryKey, changed);
      form.setFieldsValue(toValues(changed));
    },
    {
      done: t('users.wasSaved'),
      changes: ['users', 'sessions', 'audit'],
      placeOf: useUserConflicts(),
    },
  );
  return (
    <>
      <dl className="user-facts">
        <div>
          <dt>{t('users.id')}</dt>
          <dd>{user.id}</dd>
        </div>
        <div>
          <dt>{t('users.created')}</dt>
          <dd>{format.dateTime(user.created_at)}</dd>
        </div>
      </dl>
      <Form<EditedUser>
        form={form}
        layout="vertical"
        initialValues={toValues(user)}
        onFinish={(values) => void submit(values)}
      >
        <ErrorAlert error={error} advice={t('users.nothingLost')} />
        <Form.Item<EditedUser> name="account" label={t('users.account')}>
          <Input autoComplete="off" autoCapitalize="none" spellCheck={false} />
        </Form.Item>
        <UserFields />
        <Form.Item<EditedUser> name="status" label={t('users.status')} extra={t('users.statusHint')}>
          <Select
            options={[
              { value: 1, label: t('users.enabled') },
              { value: 0, label: t('users.disabled') },
            ]}
          />
        </Form.Item>
        <Flex justify="flex-end">
          <Button type="primary" htmlType="submit" loading={isPending}>
            {t('parts.save')}
          </Button>
        </Flex>
      </Form>
    </>
  );
}

const toValues = ({ account, name, avatar, role, external_id, status }: AdminUserResponse): EditedUser => ({
  account: account ?? '',
  name,
  avatar: avatar ?? '',
  role,
  external_id: external_id ?? '',
  status,
});

/** Returns only the changed fields, so that concurrent changes of other administrators are kept. */
function findChanges(values: EditedUser, before: EditedUser): ChangeUserRequest {
  const { account, name, avatar, role, external_id, status } = values;
  return {
    ...(account !== before.account && { account }),
    ...(name !== before.name && { name }),
    ...(avatar !== before.avatar && { avatar: avatar === '' ? null : avatar }),
    ...(role !== before.role && { role }),
    ...(external_id !== before.external_id && { external_id: external_id === '' ? null : external_id }),
    ...(status !== before.status && { status }),
  };
}
