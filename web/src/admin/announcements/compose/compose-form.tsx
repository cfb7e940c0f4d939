import { uniqueId } from '@callboard/client';
import { App, Button, Flex, Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../shared/callboard';
import { ErrorAlert } from '../../parts/error-alert';
import { useFormMutation } from '../../parts/use-form-mutation';
import { AudienceFields } from './audience-fields';
import { ComposePreview } from './compose-preview';
import { audienceLabel, type Draft, NEW_DRAFT, toRequest } from './draft';
import { TextFields } from './text-fields';
import { useRecipients } from './use-recipients';

interface Props {
  /** `id` is null if the announcement was sent to a single user. */
  onSent: (id: number | null) => void;
  /** Starts a new draft. */
  onReset: () => void;
}

const CONFLICT = 409;

export function ComposeForm({ onSent, onReset }: Props) {
  const { t } = useTranslation('panel');
  const { message, modal } = App.useApp();
  const [form] = Form.useForm<Draft>();
  const draft = { ...NEW_DRAFT, ...(Form.useWatch([], form) as Partial<Draft> | undefined) };
  const { count: recipients, isLoading: isCounting } = useRecipients(draft);
  // One key per draft, so that resending it after a lost response does not deliver it twice.
  const [idempotencyKey] = useState(uniqueId);

  const { submit, isPending, error } = useFormMutation(
    form,
    async (ready: Draft) => {
      const question = {
        ...(recipients === undefined
          ? {
              title: t('announcements.confirmUncounted', { audience: t(audienceLabel(ready)) }),
              content: `${t('announcements.uncounted')} ${t('announcements.confirmHint')}`,
            }
          : {
              title: t('announcements.confirm', { count: recipients }),
              content: t('announcements.confirmHint'),
            }),
        okText: t('announcements.send'),
        cancelText: t('parts.cancel'),
      };
      if (!(await modal.confirm(question))) return;
      const sent = await callboard.notifications.send({ body: toRequest(ready), idempotencyKey });
      void message.success(t('announcements.sent', { count: sent.created }));
      onSent(sent.announcement_id);
    },
    { changes: ['announcements'] },
  );
  return (
    <Form
      form={form}
      name="announcement"
      layout="vertical"
      initialValues={NEW_DRAFT}
      scrollToFirstError={{ focus: true }}
      onFinish={() => void submit({ ...NEW_DRAFT, ...form.getFieldsValue() })}
    >
      <div className="compose">
        <div>
          <AudienceFields audience={draft.audience} />
          <TextFields />
        </div>
        <ComposePreview draft={draft} recipients={recipients} />
      </div>
      <Flex vertical gap="middle">
        <ErrorAlert
          error={error}
          advice={error?.code === CONFLICT ? t('announcements.conflict') : undefined}
        />
        <Flex gap="small">
          <Button type="primary" htmlType="submit" loading={isPending} disabled={isCounting}>
            {t('announcements.send')}
          </Button>
          <Button onClick={onReset} disabled={isPending}>
            {t('announcements.anew')}
          </Button>
        </Flex>
      </Flex>
    </Form>
  );
}
