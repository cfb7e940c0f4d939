import { Button, Checkbox, Flex, Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import type { CreateWebhookRequest } from '@callboard/client';
import { ErrorAlert } from '../../parts/error-alert';
import { useFormMutation } from '../../parts/use-form-mutation';
import { WEBHOOK_QUERIES } from '../webhooks-query';
import { EventTypesField } from './event-types-field';

export type WebhookValues = Required<Omit<CreateWebhookRequest, 'status'>>;

interface Props {
  initial: WebhookValues;
  /** Label of the submit button. */
  ok: string;
  done?: string;
  onSubmit: (values: WebhookValues) => Promise<unknown>;
  onCancel: () => void;
}

/** Maximum length that the service accepts. */
const MAX_URL = 1_000;
const MAX_DESCRIPTION = 200;
const UNAVAILABLE = 503;

/** URL and event types of an endpoint. */
export function WebhookForm({ initial, ok, done, onSubmit, onCancel }: Props) {
  const { t } = useTranslation('panel');
  const [form] = Form.useForm<WebhookValues>();
  const { submit, isPending, error } = useFormMutation(form, onSubmit, {
    done,
    changes: WEBHOOK_QUERIES,
    placeOf: ({ key, field }) =>
      key === 'INVALID' && field === 'url' ? { field, text: t('webhooks.form.urlRefused') } : undefined,
  });
  return (
    <Form<WebhookValues>
      form={form}
      layout="vertical"
      initialValues={initial}
      onFinish={(values) => void submit({ ...values, url: values.url.trim() })}
    >
      <ErrorAlert error={error} advice={error?.code === UNAVAILABLE ? t('webhooks.noSecret') : undefined} />
      <Form.Item
        name="url"
        label={t('webhooks.url')}
        extra={t('webhooks.form.urlHint')}
        rules={[{ required: true, whitespace: true, message: t('webhooks.form.needsUrl') }]}
      >
        <Input
          type="url"
          maxLength={MAX_URL}
          placeholder="https://backend.example/hooks"
          autoComplete="off"
          spellCheck={false}
        />
      </Form.Item>
      <Form.Item name="description" label={t('webhooks.description')}>
        <Input maxLength={MAX_DESCRIPTION} autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="event_types"
        label={t('webhooks.events')}
        rules={[{ required: true, type: 'array', min: 1, message: t('webhooks.form.needsEvents') }]}
      >
        <EventTypesField />
      </Form.Item>
      <Form.Item name="include_content" valuePropName="checked" extra={t('webhooks.form.contentHint')}>
        <Checkbox>{t('webhooks.form.content')}</Checkbox>
      </Form.Item>
      <Flex gap="small" justify="end">
        <Button onClick={onCancel}>{t('parts.cancel')}</Button>
        <Button type="primary" htmlType="submit" loading={isPending}>
          {ok}
        </Button>
      </Flex>
    </Form>
  );
}
