import { App } from 'antd';
import { useTranslation } from 'react-i18next';

interface Question {
  title: string;
  /** Consequences of the action. */
  content?: string;
  /** Label of the confirm button. */
  ok: string;
}

/** Asks for confirmation of an irreversible action. Resolves with whether it was confirmed. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const { modal } = App.useApp();
  const { t } = useTranslation('panel');
  return async ({ title, content, ok }) =>
    modal.confirm({
      title,
      content,
      okText: ok,
      cancelText: t('parts.cancel'),
      okButtonProps: { danger: true },
      autoFocusButton: 'cancel',
    });
}
