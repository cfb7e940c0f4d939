import { Alert, Button, Flex, Form, Input, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../shared/callboard';
import { useClientConfig } from '../../../shared/client-config';
import { useFormat } from '../../format';
import { ErrorAlert } from '../../parts/error-alert';
import { useFormMutation } from '../../parts/use-form-mutation';
import { WEBHOOK_QUERIES } from '../webhooks-query';
import { toTimestamp } from '../../parts/time-zone';

interface Values {
  /** Local time in the service's time zone: `2026-01-31T16:00`. */
  since: string;
}

const DAY_MS = 86_400_000;

/** Resends all deliveries since a given time that have failed or are held, and shows their number. */
export function Replay({ webhookId, onClose }: { webhookId: number; onClose: () => void }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const timeZone = useClientConfig()?.time_zone;
  const [form] = Form.useForm<Values>();
  const [queued, setQueued] = useState<number>();
  const [yesterday] = useState(() => new Date(Date.now() - DAY_MS).toISOString());
  const { submit, isPending, error } = useFormMutation(
    form,
    async ({ since }: Values) => {
      const body = { since: toTimestamp(timeZone, since) };
      const answer = await callboard.webhooks.replay({ path: { id: webhookId }, body });
      setQueued(answer.queued);
    },
    { changes: WEBHOOK_QUERIES },
  );
  return (
    <Modal open title={t('webhooks.replay.title')} footer={null} onCancel={onClose}>
      <Form<Values>
        form={form}
        layout="vertical"
        initialValues={{ since: format.dateTime(yesterday).replace(' ', 'T') }}
        onValuesChange={() => setQueued(undefined)}
        onFinish={(values) => {
          // A second click would find no deliveries, and its message would replace that of the first.
          if (queued === undefined) void submit(values);
        }}
      >
        <p className="soft-text">{t('webhooks.replay.hint')}</p>
        <ErrorAlert error={error} />
        <Form.Item
          name="since"
          label={t('webhooks.replay.since')}
          extra={timeZone !== undefined && t('webhooks.replay.zone', { zone: timeZone })}
          rules={[{ required: true, message: t('webhooks.replay.needsSince') }]}
        >
          <Input type="datetime-local" disabled={isPending} />
        </Form.Item>
        {queued !== undefined && (
          <Alert
            type={queued > 0 ? 'success' : 'info'}
            showIcon
            style={{ marginBottom: '1rem' }}
            title={
              queued > 0
                ? t('webhooks.replay.queued', { count: queued, total: format.number(queued) })
                : t('webhooks.replay.nothing')
            }
          />
        )}
        <Flex gap="small" justify="end">
          <Button onClick={onClose}>{t('parts.close')}</Button>
          <Button type="primary" htmlType="submit" loading={isPending} disabled={queued !== undefined}>
            {t('webhooks.replay.ok')}
          </Button>
        </Flex>
      </Form>
    </Modal>
  );
}
