import { Alert, Button } from 'antd';
import { useTranslation } from 'react-i18next';

interface Props {
  /** Reason of the error. */
  hint: 'gone' | 'notInGroup';
  /** Names of the devices that caused the error. */
  names: string[];
  /** Removes these devices from the selection. */
  onDeselect: () => void;
}

/** Explains that a bulk change was rejected because of some devices, and offers to remove them from the selection. */
export function BulkError({ hint, names, onDeselect }: Props) {
  const { t } = useTranslation('panel');
  return (
    <Alert
      type="error"
      role="alert"
      showIcon
      style={{ marginTop: '0.5rem' }}
      title={t('devices.bulk.refused')}
      description={t(`devices.bulk.${hint}`, { names: names.join(', ') })}
      action={<Button onClick={onDeselect}>{t('devices.bulk.takeOut', { total: names.length })}</Button>}
    />
  );
}
