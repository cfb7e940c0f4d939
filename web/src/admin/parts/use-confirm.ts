import { App } from 'antd';
import { useTranslation } from 'react-i18next';

interface Question {
  title: string;
  /** What follows from it. */
  content?: string;
  /** The word on the button that does it. */
  ok: string;
}

/** Asks before something that cannot be undone; answers whether it shall be done. */
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
