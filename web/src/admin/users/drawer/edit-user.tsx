import { Button, Flex, Form, Input, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminUserResponse, ChangeUserRequest } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useFormat } from '../../format';
import { queryClient } from '../../../shared/query-client';
import { changedFields } from '../../parts/changed-fields';
import { userQuery } from '../../parts/people/user-name';
import { ErrorAlert } from '../../parts/error-alert';
import { refillForm } from '../../parts/refill-form';
import { useFormMutation } from '../../parts/use-form-mutation';
import { UserFields, type UserValues } from '../user-fields';
import { useUserConflicts } from '../use-user-conflicts';

type EditedUser = UserValues & { status: 0 | 1 };

export function EditUser({ user }: { user: AdminUserResponse }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const [form] = Form.useForm<EditedUser>();
  // Values that filled the form. A refetch of the user must not change them: the form keeps showing these values.
  const [before, setBefore] = useState(() => toValues(user));
  const { submit, isPending, error } = useFormMutation(
    form,
    async (values: EditedUser) => {
      const body = changedFields(toBody(values), toBody(before));
      const changed = await callboard.users.change({ path: { id: user.id }, body });
      queryClient.setQueryData(userQuery(user.id).queryKey, changed);
      refillForm(form, values, toValues(changed));
      setBefore(toValues(changed));
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
        initialValues={before}
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

const toBody = ({ avatar, external_id, ...values }: EditedUser): ChangeUserRequest => ({
  ...values,
  avatar: avatar === '' ? null : avatar,
  external_id: external_id === '' ? null : external_id,
});
