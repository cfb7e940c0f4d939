import { CopyOutlined } from '@ant-design/icons';
import { Alert, App, Button, Flex, Input, type InputRef, Modal, Space } from 'antd';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../../parts/copy-text';

export interface ShownSecret {
  /** null if the endpoint was created by a request whose response was lost. */
  secret: string | null;
  /** Explanation shown with the secret. */
  hint: string;
}

/** The secret of an endpoint. It cannot be shown again after this is closed. */
export function SecretDialog({ shown, onClose }: { shown: ShownSecret | undefined; onClose: () => void }) {
  const { t } = useTranslation('panel');
  const { message } = App.useApp();
  const field = useRef<InputRef>(null);
  const secret = shown?.secret ?? null;
  const copy = async (text: string): Promise<void> => {
    field.current?.select();
    if (await copyText(text)) void message.success(t('parts.copied'));
    else void message.warning(t('webhooks.secret.byHand'));
  };
  return (
    <Modal
      open={shown !== undefined}
      title={t('webhooks.secret.title')}
      mask={{ closable: false }}
      destroyOnHidden
      onCancel={onClose}
      afterOpenChange={(isOpen) => isOpen && field.current?.focus({ cursor: 'all' })}
      footer={
        <Button type="primary" onClick={onClose}>
          {t('webhooks.secret.kept')}
        </Button>
      }
    >
      <Flex vertical gap="middle">
        {secret === null ? (
          <Alert type="warning" showIcon title={t('webhooks.secret.lost')} />
        ) : (
          <>
            <Alert type="warning" showIcon title={t('webhooks.secret.once')} description={shown?.hint} />
            <Space.Compact block>
              <Input ref={field} readOnly aria-label={t('webhooks.secret.title')} value={secret} />
              <Button icon={<CopyOutlined aria-hidden />} onClick={() => void copy(secret)}>
                {t('parts.copy')}
              </Button>
            </Space.Compact>
          </>
        )}
      </Flex>
    </Modal>
  );
}
