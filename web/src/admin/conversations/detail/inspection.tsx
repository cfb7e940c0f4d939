import { Alert, Button, Flex, Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { InspectedMessageResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useFormat } from '../../format';
import { ErrorAlert } from '../../parts/error-alert';
import { useFormMutation } from '../../parts/use-form-mutation';

interface Values {
  reason: string;
}

interface Inspected {
  reason: string;
  messages: InspectedMessageResponse[];
  /** Message before which older ones are read; null at the beginning of the history. */
  next: number | null;
}

const MIN_REASON = 5;
const MAX_REASON = 200;

/** Messages of a conversation. They are read only for a reason, which the audit log keeps with each request. */
export function Inspection({ id }: { id: number }) {
  const { t } = useTranslation('panel');
  const [form] = Form.useForm<Values>();
  const [inspected, setInspected] = useState<Inspected>();
  const { submit, isPending, error } = useFormMutation(
    form,
    async ({ reason }: Values) => {
      const body = { reason, ...(inspected?.next != null && { before_id: inspected.next }) };
      const { items, next_before_id } = await callboard.conversations.inspect({ path: { id }, body });
      setInspected({
        reason,
        messages: [...(inspected?.messages ?? []), ...items],
        next: next_before_id,
      });
    },
    { changes: ['audit'] },
  );
  return (
    <Flex vertical gap="middle">
      {inspected === undefined ? (
        <>
          <Alert type="warning" showIcon title={t('conversations.inspect.warning')} />
          <ErrorAlert error={error} />
          <Form<Values>
            form={form}
            name="inspection"
            layout="vertical"
            initialValues={{ reason: '' }}
            onFinish={(values) => void submit(values)}
          >
            <Form.Item<Values>
              name="reason"
              label={t('conversations.inspect.reason')}
              extra={t('conversations.inspect.reasonHint')}
              rules={[{ required: true, min: MIN_REASON, message: t('conversations.inspect.reasonShort') }]}
            >
              <Input maxLength={MAX_REASON} autoComplete="off" />
            </Form.Item>
            <Button type="primary" htmlType="submit" loading={isPending}>
              {t('conversations.inspect.read')}
            </Button>
          </Form>
        </>
      ) : (
        <>
          <p className="inspection-reason">{t('conversations.inspect.for', { reason: inspected.reason })}</p>
          <ErrorAlert error={error} />
          <MessageList messages={inspected.messages} />
          {inspected.next !== null && (
            <Button loading={isPending} onClick={() => void submit({ reason: inspected.reason })}>
              {t('conversations.inspect.older')}
            </Button>
          )}
        </>
      )}
    </Flex>
  );
}

function MessageList({ messages }: { messages: readonly InspectedMessageResponse[] }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  if (messages.length === 0) return <p>{t('conversations.inspect.none')}</p>;
  return (
    <ol className="inspected-messages" aria-label={t('conversations.tabs.messages')}>
      {messages.map((message) => (
        <li key={message.id}>
          <div className="inspected-head">
            <strong>{message.sender_name ?? t('parts.unnamedUser', { id: message.sender_id })}</strong>
            <time dateTime={message.sent_at}>{format.dateTimeSeconds(message.sent_at)}</time>
          </div>
          <p>{message.type === 'text' && !message.is_recalled ? message.content : message.display_content}</p>
          {message.attachments.map(({ id, name, url }) => (
            <a key={id} href={url} target="_blank" rel="noreferrer">
              {name}
            </a>
          ))}
        </li>
      ))}
    </ol>
  );
}
