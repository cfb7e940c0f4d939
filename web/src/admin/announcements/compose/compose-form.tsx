import { uniqueId } from '@callboard/client';
import { App, Button, Flex, Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../shared/callboard';
import { useLanguage } from '../../../shared/i18n/i18n';
import { toCallboardError } from '../../../shared/session';
import { showAtField } from '../../parts/field-errors';
import { Refusal } from '../../parts/refusal';
import { useAction } from '../../parts/use-action';
import { AudienceFields } from './audience-fields';
import { ComposePreview } from './compose-preview';
import { type Draft, NEW_DRAFT, toRequest } from './draft';
import { TextFields } from './text-fields';
import { useRecipients } from './use-recipients';

interface Props {
  /** `id` is null if the announcement was sent to a single user. */
  onSent: (id: number | null) => void;
  /** Starts a new draft. */
  onAnew: () => void;
}

const CONFLICT = 409;

export function ComposeForm({ onSent, onAnew }: Props) {
  const { t } = useTranslation('panel');
  const language = useLanguage();
  const { message, modal } = App.useApp();
  const [form] = Form.useForm<Draft>();
  const draft = { ...NEW_DRAFT, ...(Form.useWatch([], form) as Partial<Draft> | undefined) };
  const recipients = useRecipients(draft);
  const [refusal, setRefusal] = useState<unknown>();
  // One key per draft, so that resending it after a lost response does not deliver it twice.
  const [idempotencyKey] = useState(uniqueId);

  const sending = useAction(
    async (ready: Draft) => {
      setRefusal(undefined);
      const question = {
        title: t('announcements.confirm', { count: recipients ?? 0 }),
        content: t('announcements.confirmHint'),
        okText: t('announcements.send'),
        cancelText: t('parts.cancel'),
      };
      if (!(await modal.confirm(question))) return;
      const sent = await callboard.notifications.send({ body: toRequest(ready), idempotencyKey });
      void message.success(t('announcements.sent', { count: sent.created }));
      onSent(sent.announcement_id);
    },
    {
      changes: ['announcements'],
      onError: (error) => {
        if (!showAtField(form, error, language)) setRefusal(error);
        return true;
      },
    },
  );
  const isConflict = refusal !== undefined && toCallboardError(refusal).code === CONFLICT;
  return (
    <Form
      form={form}
      name="announcement"
      layout="vertical"
      initialValues={NEW_DRAFT}
      scrollToFirstError={{ focus: true }}
      onFinish={() => void sending.run({ ...NEW_DRAFT, ...form.getFieldsValue() })}
    >
      <div className="compose">
        <div>
          <AudienceFields audience={draft.audience} />
          <TextFields />
        </div>
        <ComposePreview draft={draft} recipients={recipients} />
      </div>
      <Flex vertical gap="middle">
        <Refusal error={refusal} advice={isConflict ? t('announcements.conflict') : undefined} />
        <Flex gap="small">
          <Button type="primary" htmlType="submit" loading={sending.isRunning}>
            {t('announcements.send')}
          </Button>
          <Button onClick={onAnew} disabled={sending.isRunning}>
            {t('announcements.anew')}
          </Button>
        </Flex>
      </Flex>
    </Form>
  );
}
