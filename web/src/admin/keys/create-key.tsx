import { App, Button, Flex, Form, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CreatedApiKeyResponse, uniqueId } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useClientConfig } from '../../shared/client-config';
import { ErrorAlert } from '../parts/error-alert';
import { useFormMutation } from '../parts/use-form-mutation';
import { KeyFields, toKeyBody, type KeyValues, NEW_KEY } from './key-fields';
import { KeySecret } from './key-secret';

interface Props {
  isOpen: boolean;
  onClose: () => void;
}

const CONFLICT = 409;

/** Creates an API key and shows its secret once. Asks for confirmation if it is closed before the secret was copied. */
export function CreateKey({ isOpen, onClose }: Props) {
  const { t } = useTranslation('panel');
  const { modal } = App.useApp();
  const [createdKey, setCreatedKey] = useState<CreatedApiKeyResponse>();
  const [isSaved, setSaved] = useState(false);
  const close = async (): Promise<void> => {
    const mayBeLost = createdKey !== undefined && createdKey.key !== null && !isSaved;
    const question = {
      title: t('keys.lose.title'),
      content: t('keys.lose.hint'),
      okText: t('keys.lose.ok'),
      cancelText: t('keys.lose.back'),
      okButtonProps: { danger: true },
      autoFocusButton: 'cancel' as const,
    };
    if (mayBeLost && !(await modal.confirm(question))) return;
    onClose();
  };
  return (
    <Modal
      open={isOpen}
      title={createdKey === undefined ? t('keys.create') : t('keys.made', { name: createdKey.name })}
      footer={null}
      mask={{ closable: false }}
      destroyOnHidden
      onCancel={() => void close()}
      afterClose={() => {
        setCreatedKey(undefined);
        setSaved(false);
      }}
    >
      {createdKey === undefined ? (
        <NewKeyForm onClose={onClose} onCreated={setCreatedKey} />
      ) : (
        <KeySecret text={createdKey.key} onSaved={() => setSaved(true)} onClose={() => void close()} />
      )}
    </Modal>
  );
}

interface FormProps {
  onClose: () => void;
  onCreated: (createdKey: CreatedApiKeyResponse) => void;
}

function NewKeyForm({ onClose, onCreated }: FormProps) {
  const { t } = useTranslation('panel');
  const [form] = Form.useForm<KeyValues>();
  const timeZone = useClientConfig()?.time_zone;
  // Stays the same while the form is open, so that resending after a lost response does not create a second key.
  const [idempotencyKey] = useState(uniqueId);
  const { submit, isPending, error } = useFormMutation(
    form,
    async (values: KeyValues) => {
      const { expires_at, ...body } = toKeyBody(values, timeZone);
      const createdKey = { ...body, ...(expires_at !== null && { expires_at }) };
      onCreated(await callboard.keys.create({ body: createdKey, idempotencyKey }));
    },
    { changes: ['keys', 'audit'] },
  );
  const isConflict = error?.code === CONFLICT;
  return (
    <Form<KeyValues>
      form={form}
      layout="vertical"
      initialValues={NEW_KEY}
      onFinish={(values) => void submit(values)}
    >
      <ErrorAlert error={error} advice={t(isConflict ? 'keys.wasDone' : 'users.nothingLost')} />
      <KeyFields isNew />
      <Flex justify="flex-end" gap="small">
        <Button onClick={onClose}>{t('parts.cancel')}</Button>
        <Button type="primary" htmlType="submit" loading={isPending}>
          {t('parts.create')}
        </Button>
      </Flex>
    </Form>
  );
}
