import { useTranslation } from 'react-i18next';
import type { CallboardError } from '@callboard/client';

/** Returns a function that maps a conflict to its field, with advice. */
export function useUserConflicts(): (refusal: CallboardError) => { field: string; text: string } | undefined {
  const { t } = useTranslation('panel');
  return (refusal) => {
    switch (refusal.key) {
      case 'ACCOUNT_TAKEN':
        return { field: 'account', text: t('users.accountTaken') };
      case 'EXTERNAL_ID_TAKEN':
        return { field: 'external_id', text: t('users.externalIdTaken') };
      default:
        return undefined;
    }
  };
}
