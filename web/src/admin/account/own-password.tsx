import { Button, Flex, Form, Input, Typography } from 'antd';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import { ErrorAlert } from '../parts/error-alert';
import { useFormMutation } from '../parts/use-form-mutation';

interface Values {
  old_password: string;
  new_password: string;
  again: string;
}

const EMPTY: Values = { old_password: '', new_password: '', again: '' };

/** Form that changes the own password, which ends the other sessions. */
export function OwnPassword({ account }: { account: string | null }) {
  const { t } = useTranslation('panel');
  const [form] = Form.useForm<Values>();
  const { submit, isPending, error } = useFormMutation(
    form,
    async ({ old_password, new_password }: Values) => {
      await callboard.identity.changeOwnPassword({ body: { old_password, new_password } });
      form.resetFields();
    },
    {
      done: t('account.passwordChanged'),
      changes: ['sessions'],
      placeOf: ({ field }) =>
        field === 'old_password' ? { field, text: t('account.wrongPassword') } : undefined,
    },
  );
  return (
    <Form<Values>
      form={form}
      name="own-password"
      layout="vertical"
      initialValues={EMPTY}
      onFinish={(values) => void submit(values)}
    >
      <Typography.Paragraph type="secondary">{t('account.passwordHint')}</Typography.Paragraph>
      <ErrorAlert error={error} advice={t('users.nothingLost')} />
      {/* Password managers need the account name. */}
      <input type="text" autoComplete="username" value={account ?? ''} readOnly hidden />
      <Form.Item<Values> name="old_password" label={t('account.oldPassword')} required>
        <Input type="password" autoComplete="current-password" />
      </Form.Item>
      <Form.Item<Values>
        name="new_password"
        label={t('users.newPassword')}
        extra={t('users.passwordHint')}
        required
      >
        <Input type="password" autoComplete="new-password" />
      </Form.Item>
      <Form.Item<Values>
        name="again"
        label={t('account.again')}
        dependencies={['new_password']}
        required
        rules={[
          {
            validator: (_, again: string) =>
              again === form.getFieldValue('new_password')
                ? Promise.resolve()
                : Promise.reject(new Error(t('account.different'))),
          },
        ]}
      >
        <Input type="password" autoComplete="new-password" />
      </Form.Item>
      <Flex justify="flex-end">
        <Button type="primary" htmlType="submit" loading={isPending}>
          {t('account.change')}
        </Button>
      </Flex>
    </Form>
  );
}
