import { Button, Form, Input, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../shared/callboard';
import { useLanguage } from '../../../shared/i18n/i18n';
import { showAtField } from '../../parts/field-errors';
import { useToastMutation } from '../../parts/use-toast-mutation';

const MAX_REASON = 64;

/** Ends a call for both participants after a confirmation. */
export function EndCall({ id }: { id: number }) {
  const { t } = useTranslation('panel');
  const language = useLanguage();
  const [isAsking, setAsking] = useState(false);
  const [form] = Form.useForm<{ reason?: string }>();
  const ending = useToastMutation(
    ({ reason }: { reason?: string }) =>
      callboard.calls.end({ path: { callId: id }, body: reason ? { reason } : {} }),
    {
      done: t('calls.ended', { id }),
      changes: ['calls', 'overview'],
      onError: (error) => showAtField(form, error, language),
    },
  );
  const end = async (fields: { reason?: string }): Promise<void> => {
    if (await ending.run(fields)) setAsking(false);
  };
  return (
    <>
      <Button danger onClick={() => setAsking(true)}>
        {t('calls.end')}
      </Button>
      <Modal
        open={isAsking}
        title={t('calls.endTitle', { id })}
        okText={t('calls.end')}
        okButtonProps={{ danger: true }}
        confirmLoading={ending.isPending}
        onOk={() => form.submit()}
        onCancel={() => setAsking(false)}
        destroyOnHidden
      >
        <p>{t('calls.endHint')}</p>
        <Form
          form={form}
          name="end-call"
          layout="vertical"
          onFinish={(fields) => void end(fields)}
          preserve={false}
        >
          <Form.Item name="reason" label={t('calls.endReason')}>
            <Input maxLength={MAX_REASON} placeholder="admin_end" />
          </Form.Item>
        </Form>
      </Modal>
    </>
  );
}
