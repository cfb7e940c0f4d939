import { useTranslation } from 'react-i18next';
import type { CallboardError } from '@callboard/client';
import type { ErrorPlace } from '../parts/field-errors';

/** Returns a function that maps a conflict to its field, with advice. */
export function useUserConflicts(): (error: CallboardError) => ErrorPlace | undefined {
  const { t } = useTranslation('panel');
  return (error) => {
    switch (error.key) {
      case 'ACCOUNT_TAKEN':
        return { field: 'account', text: t('users.accountTaken') };
      case 'EXTERNAL_ID_TAKEN':
        return { field: 'external_id', text: t('users.externalIdTaken') };
      default:
        return undefined;
    }
  };
}
