import { Button, Flex, Form, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiKeyResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useClientConfig } from '../../shared/client-config';
import { useUrlState } from '../../shared/url-state';
import { changedFields } from '../parts/changed-fields';
import { ErrorAlert } from '../parts/error-alert';
import { useFormMutation } from '../parts/use-form-mutation';
import { KeyFields, toKeyBody, type KeyValues, toKeyValues } from './key-fields';

/** Form that changes an API key (`?key=7`). */
export function EditKey({ apiKey }: { apiKey: ApiKeyResponse }) {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const close = (): void => url.set({ key: null });
  return (
    <>
      <Button
        aria-label={t('keys.changeOne', { name: apiKey.name })}
        onClick={() => url.set({ key: apiKey.id }, { push: true })}
      >
        {t('parts.edit')}
      </Button>
      <Modal
        open={url.number('key') === apiKey.id}
        title={t('keys.change')}
        footer={null}
        mask={{ closable: false }}
        destroyOnHidden
        onCancel={close}
      >
        <KeyForm apiKey={apiKey} onClose={close} />
      </Modal>
    </>
  );
}

function KeyForm({ apiKey, onClose }: { apiKey: ApiKeyResponse; onClose: () => void }) {
  const { t } = useTranslation('panel');
  const [form] = Form.useForm<KeyValues>();
  const timeZone = useClientConfig()?.time_zone;
  // Values that filled the form. A refetch of the list must not change them.
  const [before] = useState(() => toKeyValues(apiKey, timeZone));
  const { submit, isPending, error } = useFormMutation(
    form,
    async (values: KeyValues) => {
      // The form has a day, the service a timestamp: an untouched expiry must keep its exact value.
      const body = changedFields(toKeyBody(values, timeZone), toKeyBody(before, timeZone));
      await callboard.keys.change({ path: { id: apiKey.id }, body });
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
      <ErrorAlert error={error} advice={t('users.nothingLost')} />
      <KeyFields isNew={false} />
      <Flex justify="flex-end" gap="small">
        <Button onClick={onClose}>{t('parts.cancel')}</Button>
        <Button type="primary" htmlType="submit" loading={isPending}>
          {t('parts.save')}
        </Button>
      </Flex>
    </Form>
  );
}
