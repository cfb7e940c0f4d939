import { Alert, Button } from 'antd';
import { useTranslation } from 'react-i18next';

interface Props {
  /** Reason of the error. */
  hint: 'gone' | 'notInGroup';
  /** Names of the devices that caused the error. */
  names: string[];
  /** Removes these devices from the selection. */
  onTakeOut: () => void;
}

/** Explains that a bulk change was rejected because of some devices, and offers to remove them from the selection. */
export function BulkRefusal({ hint, names, onTakeOut }: Props) {
  const { t } = useTranslation('panel');
  return (
    <Alert
      type="error"
      role="alert"
      showIcon
      style={{ marginTop: '0.5rem' }}
      title={t('devices.bulk.refused')}
      description={t(`devices.bulk.${hint}`, { names: names.join(', ') })}
      action={<Button onClick={onTakeOut}>{t('devices.bulk.takeOut', { total: names.length })}</Button>}
    />
  );
}
