import { useTranslation } from 'react-i18next';
import type { CallboardError } from '@callboard/client';

/** Where a 409 of users belongs, and what to do about it. In English the package names each of them the same way. */
export function useUserConflicts(): (refusal: CallboardError) => { field: string; text: string } | undefined {
  const { t } = useTranslation('panel');
  return (refusal) => {
    switch (refusal.text('en')) {
      case 'Another user has this account':
        return { field: 'account', text: t('users.accountTaken') };
      case 'Another user has this external id':
        return { field: 'external_id', text: t('users.externalIdTaken') };
      default:
        return undefined;
    }
  };
}
