import { Button, Flex, Form, Typography } from 'antd';
import { useTranslation } from 'react-i18next';
import type { AdminUserResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { ErrorAlert } from '../../parts/error-alert';
import { useFormMutation } from '../../parts/use-form-mutation';
import { PasswordField } from '../password-field';

interface Values {
  password: string;
}

export function SetPassword({ user: { id, name } }: { user: AdminUserResponse }) {
  const { t } = useTranslation('panel');
  const [form] = Form.useForm<Values>();
  const { submit, isPending, error } = useFormMutation(
    form,
    async (body: Values) => {
      await callboard.users.setPassword({ path: { id }, body });
      form.resetFields();
    },
    { done: t('users.passwordSet'), changes: ['sessions', 'audit'] },
  );
  return (
    <Form<Values>
      form={form}
      layout="vertical"
      initialValues={{ password: '' }}
      onFinish={(values) => void submit(values)}
    >
      <Typography.Paragraph>{t('users.passwordFollows', { name })}</Typography.Paragraph>
      <ErrorAlert error={error} advice={t('users.nothingLost')} />
      <PasswordField label={t('users.newPassword')} />
      <Flex justify="flex-end">
        <Button type="primary" htmlType="submit" loading={isPending}>
          {t('users.setPassword')}
        </Button>
      </Flex>
    </Form>
  );
}
