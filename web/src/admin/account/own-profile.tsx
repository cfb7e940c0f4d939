import { Button, Flex, Form, Input, Typography } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChangeProfileRequest, OwnUserResponse } from '@callboard/client';
import { useClientConfig } from '../../shared/client-config';
import { changedFields } from '../parts/changed-fields';
import { ErrorAlert } from '../parts/error-alert';
import { refillForm } from '../parts/refill-form';
import { useFormMutation } from '../parts/use-form-mutation';
import { changeOwnProfile } from './use-own-profile';

interface Values {
  name: string;
  avatar: string;
}

/** Form for the own name and picture, if the service allows changing them. */
export function OwnProfile({ me }: { me: OwnUserResponse }) {
  const { t } = useTranslation('panel');
  const [form] = Form.useForm<Values>();
  const config = useClientConfig();
  // Values that filled the form. A refetch must not change them: the form keeps showing these values.
  const [before, setBefore] = useState(() => toValues(me));
  const isFixed = config?.features.profile_editing === false;
  const { submit, isPending, error } = useFormMutation(
    form,
    async (values: Values) => {
      const changed = toValues(await changeOwnProfile(changedFields(toBody(values), toBody(before))));
      refillForm(form, values, changed);
      setBefore(changed);
    },
    { done: t('users.wasSaved'), changes: ['users'] },
  );
  return (
    <Form<Values>
      form={form}
      name="own-profile"
      layout="vertical"
      disabled={isFixed}
      initialValues={before}
      onFinish={(values) => void submit(values)}
    >
      <ErrorAlert error={error} advice={t('users.nothingLost')} />
      {isFixed && <Typography.Paragraph type="secondary">{t('account.fixed')}</Typography.Paragraph>}
      <Form.Item<Values> name="name" label={t('users.name')} required>
        <Input autoComplete="name" />
      </Form.Item>
      <Form.Item<Values> name="avatar" label={t('users.avatar')} extra={t('users.avatarHint')}>
        <Input type="url" autoComplete="photo" />
      </Form.Item>
      <Flex justify="flex-end">
        <Button type="primary" htmlType="submit" loading={isPending}>
          {t('parts.save')}
        </Button>
      </Flex>
    </Form>
  );
}

const toValues = ({ name, avatar }: OwnUserResponse): Values => ({ name, avatar: avatar ?? '' });

const toBody = ({ name, avatar }: Values): ChangeProfileRequest => ({
  name,
  avatar: avatar === '' ? null : avatar,
});
