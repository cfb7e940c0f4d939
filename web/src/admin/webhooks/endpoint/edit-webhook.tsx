import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import type { WebhookResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import type { EventType } from '../event-types';
import { WebhookForm, type WebhookValues } from './webhook-form';

/** Changes the URL and the event types of an endpoint. */
export function EditWebhook({ webhook, onClose }: { webhook: WebhookResponse; onClose: () => void }) {
  const { t } = useTranslation('panel');
  const { id, url, description, event_types, include_content } = webhook;
  const save = async (body: WebhookValues): Promise<void> => {
    await callboard.webhooks.change({ path: { id }, body });
    onClose();
  };
  return (
    <Drawer open size={560} title={t('webhooks.edit')} onClose={onClose}>
      <WebhookForm
        initial={{
          url,
          description: description ?? '',
          // Safe: the service returns only event types that it also accepts.
          event_types: event_types as EventType[],
          include_content,
        }}
        ok={t('parts.save')}
        done={t('webhooks.saved')}
        onSubmit={save}
        onCancel={onClose}
      />
    </Drawer>
  );
}
