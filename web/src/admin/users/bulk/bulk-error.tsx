import { Alert, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { RejectedUser } from './rejected-users';

interface Props {
  rejected: RejectedUser[];
  /** Removes these users from the selection. */
  onDeselect: () => void;
}

/**
 * Lists the users because of which a bulk change was rejected, with reasons, and offers to remove them from the
 * selection.
 */
export function BulkError({ rejected, onDeselect }: Props) {
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
          {rejected.map(({ id, name, reason }) => (
            <li key={id}>
              {name}: {t(`users.bulk.reasons.${reason}`)}
            </li>
          ))}
        </ul>
      }
      action={<Button onClick={onDeselect}>{t('users.bulk.takeOut', { total: rejected.length })}</Button>}
    />
  );
}
