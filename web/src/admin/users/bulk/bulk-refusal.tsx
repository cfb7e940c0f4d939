import { Alert, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { RefusedUser } from './refused-users';

interface Props {
  refused: RefusedUser[];
  /** Removes these users from the selection. */
  onTakeOut: () => void;
}

/**
 * Lists the users because of which a bulk change was rejected, with reasons, and offers to remove them from the
 * selection.
 */
export function BulkRefusal({ refused, onTakeOut }: Props) {
  const { t } = useTranslation('panel');
  return (
    <Alert
      type="error"
      role="alert"
      showIcon
      style={{ marginTop: '0.5rem' }}
      title={t('users.bulk.refused')}
      description={
        <ul className="bulk-refused" aria-label={t('users.bulk.refusedList')}>
          {refused.map(({ id, name, reason }) => (
            <li key={id}>
              {name}: {t(`users.bulk.reasons.${reason}`)}
            </li>
          ))}
        </ul>
      }
      action={<Button onClick={onTakeOut}>{t('users.bulk.takeOut', { total: refused.length })}</Button>}
    />
  );
}
