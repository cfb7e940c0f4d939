import { Alert, Button } from 'antd';
import { useTranslation } from 'react-i18next';

interface Props {
  /** Why. */
  hint: 'gone' | 'notInGroup';
  /** The devices for whose sake nothing was done. */
  names: string[];
  /** Takes them out of what is chosen. */
  onTakeOut: () => void;
}

/** Nothing was done for the sake of some devices: which, why, and the way on. */
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
