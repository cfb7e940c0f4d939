import { Alert, App, Button, Flex } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallboardError, WebhookResponse, WebhookTestResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useFormat } from '../../format';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { useUrlState } from '../../../shared/url-state';
import { ErrorAlert } from '../../parts/error-alert';
import { useConfirm } from '../../parts/use-confirm';
import { WEBHOOK_QUERIES } from '../webhooks-query';
import { useResponseLabel } from '../webhook-states';
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
  const [testResult, setTestResult] = useState<WebhookTestResponse>();
  const [shownSecret, setShownSecret] = useState<ShownSecret>();
  const url = useUrlState();
  const [error, setError] = useState<CallboardError>();
  const options = { changes: WEBHOOK_QUERIES, onError: setError };
  const testing = useServiceMutation(
    async () => setTestResult(await callboard.webhooks.test({ path })),
    options,
  );
  const switching = useServiceMutation(
    (status: 0 | 1) => callboard.webhooks.change({ path, body: { status } }),
    options,
  );
  const rotating = useServiceMutation(async () => {
    const { secret } = await callboard.webhooks.rotateSecret({ path });
    setShownSecret({ secret, hint: t('webhooks.rotate.overlap') });
  }, options);
  const deleting = useServiceMutation(async () => {
    await callboard.webhooks.delete({ path });
    void message.success(t('webhooks.deleted'));
    // Must be called before the queries are refetched, so that the deleted endpoint is not requested.
    onDeleted();
  }, options);
  const clearResults = (): void => {
    setError(undefined);
    setTestResult(undefined);
  };
  const rotate = async (): Promise<void> => {
    clearResults();
    const question = {
      title: t('webhooks.rotate.title'),
      content: t('webhooks.rotate.overlap'),
      ok: t('webhooks.rotate.ok'),
    };
    if (await confirm(question)) await rotating.run();
  };
  const remove = async (): Promise<void> => {
    clearResults();
    const question = {
      title: t('webhooks.askDelete', { url: webhook.url }),
      content: t('webhooks.deleteHint'),
      ok: t('parts.delete'),
    };
    if (await confirm(question)) await deleting.run();
  };
  return (
    <Flex vertical gap="small">
      <Flex gap="small" wrap>
        <Button
          loading={testing.isPending}
          onClick={() => {
            clearResults();
            void testing.run();
          }}
        >
          {t('webhooks.test')}
        </Button>
        <Button onClick={() => url.set({ edit: true }, { push: true })}>{t('parts.edit')}</Button>
        <Button
          loading={switching.isPending}
          onClick={() => {
            clearResults();
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
      <ErrorAlert error={error} advice={error?.code === UNAVAILABLE ? t('webhooks.noSecret') : undefined} />
      {testResult !== undefined && <TestResult testResult={testResult} />}
      {url.text('edit') !== undefined && (
        <EditWebhook webhook={webhook} onClose={() => url.set({ edit: null })} />
      )}
      <SecretDialog shown={shownSecret} onClose={() => setShownSecret(undefined)} />
    </Flex>
  );
}

/** Outcome of a test. */
function TestResult({ testResult }: { testResult: WebhookTestResponse }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const answer = useResponseLabel();
  return (
    <Alert
      type={testResult.ok ? 'success' : 'error'}
      showIcon
      title={t(testResult.ok ? 'webhooks.tested.ok' : 'webhooks.tested.failed')}
      description={t('webhooks.tested.answer', {
        answer: answer(testResult),
        ms: format.number(testResult.ms),
      })}
    />
  );
}
