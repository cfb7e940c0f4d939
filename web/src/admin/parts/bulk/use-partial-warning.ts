import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format';

const WARNING_SECONDS = 8;

/** Returns a function that reports how many objects were changed before a change of all matching ones failed. */
export function usePartialWarning(): (affected: number) => void {
  const { message } = App.useApp();
  const { t } = useTranslation('panel');
  const format = useFormat();
  return (affected) => {
    const text = t('lists.partlyChanged', { affected: format.number(affected) });
    void message.warning(text, WARNING_SECONDS);
  };
}
