import { Button, Flex, Form, Input, type InputRef, Modal } from 'antd';
import { type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { uniqueId } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { ErrorAlert } from '../parts/error-alert';
import { useFormMutation } from '../parts/use-form-mutation';
import { PasswordField } from './password-field';
import { UserFields, type UserValues } from './user-fields';
import { useUserConflicts } from './use-user-conflicts';

interface Props {
  isOpen: boolean;
  onClose: () => void;
  /** Called with the id of the new user. */
  onCreated: (userId: number) => void;
}

type NewUser = UserValues & { password: string };

const EMPTY: NewUser = { account: '', name: '', avatar: '', role: 'user', external_id: '', password: '' };
const CONFLICT = 409;

export function CreateUser({ isOpen, onClose, onCreated }: Props) {
  const { t } = useTranslation('panel');
  const firstField = useRef<InputRef>(null);
  return (
    <Modal
      open={isOpen}
      title={t('users.create')}
      footer={null}
      mask={{ closable: false }}
      destroyOnHidden
      onCancel={onClose}
      // The dialog itself takes the focus when it opens.
      afterOpenChange={(open) => open && firstField.current?.focus()}
    >
      <NewUserForm firstField={firstField} onClose={onClose} onCreated={onCreated} />
    </Modal>
  );
}

interface FormProps extends Omit<Props, 'isOpen'> {
  firstField: RefObject<InputRef | null>;
}

function NewUserForm({ firstField, onClose, onCreated }: FormProps) {
  const { t } = useTranslation('panel');
  const [form] = Form.useForm<NewUser>();
  // Stays the same while the form is open, so that resending after a lost response does not create a second user.
  const [idempotencyKey] = useState(uniqueId);
  const { submit, isPending, error } = useFormMutation(
    form,
    async ({ avatar, external_id, ...values }: NewUser) => {
      const body = { ...values, ...(avatar && { avatar }), ...(external_id && { external_id }) };
      const { id } = await callboard.users.create({ body, idempotencyKey });
      onCreated(id);
    },
    { done: t('users.wasCreated'), changes: ['users', 'audit'], placeOf: useUserConflicts() },
  );
  const isConflict = error?.code === CONFLICT;
  return (
    <Form<NewUser>
      form={form}
      layout="vertical"
      initialValues={EMPTY}
      scrollToFirstError
      onFinish={(values) => void submit(values)}
    >
      <ErrorAlert error={error} advice={t(isConflict ? 'users.wasDone' : 'users.nothingLost')} />
      <Form.Item<NewUser> name="account" label={t('users.account')} required>
        <Input ref={firstField} autoComplete="off" autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <PasswordField label={t('users.password')} />
      <UserFields />
      <Flex justify="flex-end" gap="small">
        <Button onClick={onClose}>{t('parts.cancel')}</Button>
        <Button type="primary" htmlType="submit" loading={isPending}>
          {t('parts.create')}
        </Button>
      </Flex>
    </Form>
  );
}
