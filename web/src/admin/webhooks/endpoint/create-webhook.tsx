import { Drawer } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { uniqueId } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useUrlState } from '../../../shared/url-state';
import { SecretDialog, type ShownSecret } from './secret-dialog';
import { WebhookForm, type WebhookValues } from './webhook-form';

const NEW: WebhookValues = { url: '', description: '', event_types: [], include_content: false };

/** Creates an endpoint and shows its secret (`?new=1`). */
export function CreateWebhook() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const [shown, setShown] = useState<ShownSecret>();
  const [created, setCreated] = useState<number>();
  const close = (): void => url.set({ new: null });
  return (
    <>
      <Drawer
        open={url.text('new') === '1'}
        size={560}
        destroyOnHidden
        title={t('webhooks.create')}
        onClose={close}
      >
        <CreateForm
          onCancel={close}
          onCreated={(id, secret) => {
            setCreated(id);
            setShown({ secret, hint: t('webhooks.secret.hint') });
            close();
          }}
        />
      </Drawer>
      <SecretDialog
        shown={shown}
        onClose={() => {
          setShown(undefined);
          url.set({ webhook: created });
        }}
      />
    </>
  );
}

interface FormProps {
  onCancel: () => void;
  onCreated: (id: number, secret: string | null) => void;
}

function CreateForm({ onCancel, onCreated }: FormProps) {
  const { t } = useTranslation('panel');
  // Prevents duplicates when the form is sent again after a lost response.
  const [idempotencyKey] = useState(uniqueId);
  const make = async (body: WebhookValues): Promise<void> => {
    const { id, secret } = await callboard.webhooks.create({ body, idempotencyKey });
    onCreated(id, secret);
  };
  return <WebhookForm initial={NEW} ok={t('parts.create')} onSubmit={make} onCancel={onCancel} />;
}
