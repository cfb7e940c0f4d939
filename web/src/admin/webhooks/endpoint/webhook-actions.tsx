import { Alert, App, Button, Flex } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallboardError, WebhookResponse, WebhookTestResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useFormat } from '../../format';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { useUrlState } from '../../../shared/url-state';
import { Refusal } from '../../parts/refusal';
import { useConfirm } from '../../parts/use-confirm';
import { CHANGED_WITH_WEBHOOKS } from '../webhooks-query';
import { useAnswer } from '../webhook-states';
import { EditWebhook } from './edit-webhook';
import { SecretDialog, type ShownSecret } from './secret-dialog';

const UNAVAILABLE = 503;

/** Actions on an endpoint: test, change, enable or disable, rotate the secret, delete. */
export function WebhookActions({ webhook, onDeleted }: { webhook: WebhookResponse; onDeleted: () => void }) {
  const { t } = useTranslation('panel');
  const { message } = App.useApp();
  const confirm = useConfirm();
  const path = { id: webhook.id };
  const isOn = webhook.status === 1;
  const [tested, setTested] = useState<WebhookTestResponse>();
  const [shown, setShown] = useState<ShownSecret>();
  const address = useUrlState();
  const [error, setError] = useState<CallboardError>();
  const options = { changes: CHANGED_WITH_WEBHOOKS, onError: setError };
  const testing = useServiceMutation(async () => setTested(await callboard.webhooks.test({ path })), options);
  const switching = useServiceMutation(
    (status: 0 | 1) => callboard.webhooks.change({ path, body: { status } }),
    options,
  );
  const rotating = useServiceMutation(async () => {
    const { secret } = await callboard.webhooks.rotateSecret({ path });
    setShown({ secret, hint: t('webhooks.rotate.overlap') });
  }, options);
  const deleting = useServiceMutation(() => callboard.webhooks.delete({ path }), options);
  const begin = (): void => {
    setError(undefined);
    setTested(undefined);
  };
  const rotate = async (): Promise<void> => {
    begin();
    const question = {
      title: t('webhooks.rotate.title'),
      content: t('webhooks.rotate.overlap'),
      ok: t('webhooks.rotate.ok'),
    };
    if (await confirm(question)) await rotating.run();
  };
  const remove = async (): Promise<void> => {
    begin();
    const question = {
      title: t('webhooks.askDelete', { url: webhook.url }),
      content: t('webhooks.deleteHint'),
      ok: t('parts.delete'),
    };
    if (!(await confirm(question)) || !(await deleting.run())) return;
    void message.success(t('webhooks.deleted'));
    onDeleted();
  };
  return (
    <Flex vertical gap="small">
      <Flex gap="small" wrap>
        <Button
          loading={testing.isPending}
          onClick={() => {
            begin();
            void testing.run();
          }}
        >
          {t('webhooks.test')}
        </Button>
        <Button onClick={() => address.set({ edit: true }, { push: true })}>{t('parts.edit')}</Button>
        <Button
          loading={switching.isPending}
          onClick={() => {
            begin();
            void switching.run(isOn ? 0 : 1);
          }}
        >
          {t(isOn ? 'webhooks.switchOff' : 'webhooks.switchOn')}
        </Button>
        <Button loading={rotating.isPending} onClick={() => void rotate()}>
          {t('webhooks.rotate.open')}
        </Button>
        <Button danger loading={deleting.isPending} onClick={() => void remove()}>
          {t('parts.delete')}
        </Button>
      </Flex>
      <Refusal error={error} advice={error?.code === UNAVAILABLE ? t('webhooks.noSecret') : undefined} />
      {tested !== undefined && <TestAnswer tested={tested} />}
      {address.text('edit') !== undefined && (
        <EditWebhook webhook={webhook} onClose={() => address.set({ edit: null })} />
      )}
      <SecretDialog shown={shown} onClose={() => setShown(undefined)} />
    </Flex>
  );
}

/** Outcome of a test. */
function TestAnswer({ tested }: { tested: WebhookTestResponse }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const answer = useAnswer();
  return (
    <Alert
      type={tested.ok ? 'success' : 'error'}
      showIcon
      title={t(tested.ok ? 'webhooks.tested.ok' : 'webhooks.tested.failed')}
      description={t('webhooks.tested.answer', { answer: answer(tested), ms: format.number(tested.ms) })}
    />
  );
}
