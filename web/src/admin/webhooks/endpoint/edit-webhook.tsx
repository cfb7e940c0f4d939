import { Drawer } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WebhookResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { changedFields } from '../../parts/changed-fields';
import type { EventType } from '../event-types';
import { WebhookForm, type WebhookValues } from './webhook-form';

/** Changes the URL and the event types of an endpoint. */
export function EditWebhook({ webhook, onClose }: { webhook: WebhookResponse; onClose: () => void }) {
  const { t } = useTranslation('panel');
  // Values that filled the form. A refetch of the endpoint must not change them.
  const [before] = useState(() => toValues(webhook));
  const save = async (values: WebhookValues): Promise<void> => {
    await callboard.webhooks.change({ path: { id: webhook.id }, body: changedFields(values, before) });
    onClose();
  };
  return (
    <Drawer open size={560} title={t('webhooks.edit')} onClose={onClose}>
      <WebhookForm
        initial={before}
        ok={t('parts.save')}
        done={t('webhooks.saved')}
        onSubmit={save}
        onCancel={onClose}
      />
    </Drawer>
  );
}

const toValues = ({ url, description, event_types, include_content }: WebhookResponse): WebhookValues => ({
  url,
  description: description ?? '',
  // Safe: the service returns only event types that it also accepts.
  event_types: event_types as EventType[],
  include_content,
});
