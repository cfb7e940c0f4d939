import { CopyOutlined } from '@ant-design/icons';
import { Alert, App, Button, Flex, Input, type InputRef, Space } from 'antd';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../parts/copy-text';

interface Props {
  /** null if the key was created by a request whose response was lost. */
  text: string | null;
  /** Called once the secret has been copied. */
  onSaved: () => void;
  onClose: () => void;
}

/** The secret of an API key. It cannot be shown again after this is closed. */
export function KeySecret({ text, onSaved, onClose }: Props) {
  const { t } = useTranslation('panel');
  const { message } = App.useApp();
  const field = useRef<InputRef>(null);
  useEffect(() => field.current?.focus({ cursor: 'all' }), []);
  if (text === null) return <Alert type="warning" role="alert" showIcon title={t('keys.textLost')} />;
  const copy = async (): Promise<void> => {
    field.current?.select();
    if (await copyText(text)) {
      onSaved();
      void message.success(t('parts.copied'));
    } else void message.warning(t('keys.copyByHand'));
  };
  return (
    <Flex vertical gap="middle">
      <Alert type="warning" showIcon title={t('keys.once')} />
      <Space.Compact block>
        <Input ref={field} readOnly aria-label={t('keys.text')} value={text} onCopy={onSaved} />
        <Button icon={<CopyOutlined aria-hidden />} onClick={() => void copy()}>
          {t('parts.copy')}
        </Button>
      </Space.Compact>
      <Flex justify="flex-end">
        <Button type="primary" onClick={onClose}>
          {t('keys.kept')}
        </Button>
      </Flex>
    </Flex>
  );
}
