import { App, Button, Flex, Form, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CreatedApiKeyResponse, uniqueId } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useClientConfig } from '../../shared/client-config';
import { Refusal } from '../parts/refusal';
import { useFormMutation } from '../parts/use-form-mutation';
import { KeyFields, keyBodyOf, type KeyValues, NEW_KEY } from './key-fields';
import { KeyText } from './key-text';

interface Props {
  isOpen: boolean;
  onClose: () => void;
}

const CONFLICT = 409;

/** Creates an API key and shows its secret once. Asks for confirmation if it is closed before the secret was copied. */
export function CreateKey({ isOpen, onClose }: Props) {
  const { t } = useTranslation('panel');
  const { modal } = App.useApp();
  const [made, setMade] = useState<CreatedApiKeyResponse>();
  const [isKept, setKept] = useState(false);
  const close = async (): Promise<void> => {
    const mayBeLost = made !== undefined && made.key !== null && !isKept;
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
      title={made === undefined ? t('keys.create') : t('keys.made', { name: made.name })}
      footer={null}
      mask={{ closable: false }}
      destroyOnHidden
      onCancel={() => void close()}
      afterClose={() => {
        setMade(undefined);
        setKept(false);
      }}
    >
      {made === undefined ? (
        <NewKeyForm onClose={onClose} onMade={setMade} />
      ) : (
        <KeyText text={made.key} onKept={() => setKept(true)} onClose={() => void close()} />
      )}
    </Modal>
  );
}

interface FormProps {
  onClose: () => void;
  onMade: (made: CreatedApiKeyResponse) => void;
}

function NewKeyForm({ onClose, onMade }: FormProps) {
  const { t } = useTranslation('panel');
  const [form] = Form.useForm<KeyValues>();
  const timeZone = useClientConfig()?.time_zone;
  // Stays the same while the form is open, so that resending after a lost response does not create a second key.
  const [idempotencyKey] = useState(uniqueId);
  const { submit, isPending, error } = useFormMutation(
    form,
    async (values: KeyValues) => {
      const { expires_at, ...body } = keyBodyOf(values, timeZone);
      const made = { ...body, ...(expires_at !== null && { expires_at }) };
      onMade(await callboard.keys.create({ body: made, idempotencyKey }));
    },
    { changes: ['keys', 'audit'] },
  );
  const wasDone = error?.code === CONFLICT;
  return (
    <Form<KeyValues>
      form={form}
      layout="vertical"
      initialValues={NEW_KEY}
      onFinish={(values) => void submit(values)}
    >
      <Refusal error={error} advice={t(wasDone ? 'keys.wasDone' : 'users.nothingLost')} />
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
