import { Button, Flex, Form, Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import type { ApiKeyResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useClientConfig } from '../../shared/client-config';
import { Refusal } from '../parts/refusal';
import { useFormAction } from '../parts/use-form-action';
import { KeyFields, keyBodyOf, type KeyValues, keyValuesOf } from './key-fields';

interface Props {
  /** Which one; null while none is changed. */
  apiKey: ApiKeyResponse | null;
  onClose: () => void;
}

export function EditKey({ apiKey, onClose }: Props) {
  const { t } = useTranslation('panel');
  return (
    <Modal
      open={apiKey !== null}
      title={t('keys.change')}
      footer={null}
      mask={{ closable: false }}
      destroyOnHidden
      onCancel={onClose}
    >
      {apiKey !== null && <KeyForm apiKey={apiKey} onClose={onClose} />}
    </Modal>
  );
}

function KeyForm({ apiKey, onClose }: { apiKey: ApiKeyResponse; onClose: () => void }) {
  const { t } = useTranslation('panel');
  const [form] = Form.useForm<KeyValues>();
  const timeZone = useClientConfig()?.time_zone;
  const before = keyValuesOf(apiKey, timeZone);
  const { submit, isRunning, problem } = useFormAction(
    form,
    async (values: KeyValues) => {
      const { expires_at, ...body } = keyBodyOf(values, timeZone);
      // A day is coarser than a moment: an end that nobody has touched stays to the millisecond.
      const changed = { ...body, ...(values.expires_at !== before.expires_at && { expires_at }) };
      await callboard.keys.change({ path: { id: apiKey.id }, body: changed });
      onClose();
    },
    { done: t('keys.wasChanged'), changes: ['keys', 'audit'] },
  );
  return (
    <Form<KeyValues>
      form={form}
      layout="vertical"
      initialValues={before}
      onFinish={(values) => void submit(values)}
    >
      <Refusal error={problem} advice={t('users.nothingLost')} />
      <KeyFields isNew={false} />
      <Flex justify="flex-end" gap="small">
        <Button onClick={onClose}>{t('parts.cancel')}</Button>
        <Button type="primary" htmlType="submit" loading={isRunning}>
          {t('parts.save')}
        </Button>
      </Flex>
    </Form>
  );
}
