import { useTranslation } from 'react-i18next';
import { ImportDrawer } from '../../parts/import/import-drawer';
import type { ImportSource } from '../../parts/import/import-source';
import { ImportSteps } from '../../parts/import/import-steps';
import { sendUsers, USERS_PER_REQUEST } from './send-users';

const COLUMNS = ['external_id', 'account', 'name', 'avatar', 'status'] as const;

/** Imports users from a file. */
export function UserImport() {
  const { t } = useTranslation('panel');
  const source = useUserSource();
  return (
    <ImportDrawer title={t('users.import.title')}>
      {(events) => <ImportSteps {...events} source={source} />}
    </ImportDrawer>
  );
}

function useUserSource(): ImportSource {
  const { t } = useTranslation('panel');
  return {
    kind: 'users',
    columns: {
      key: 'external_id',
      read: COLUMNS,
      ignored: ['id', 'role', 'created_at', 'online', 'last_seen_at'],
      secret: ['password'],
    },
    template: COLUMNS,
    changes: ['users', 'pick', 'audit'],
    linesPerRequest: USERS_PER_REQUEST,
    send: sendUsers,
    describeError: ({ field, key }, { cell, fallback }) => {
      if (field === 'name' && key === 'EMPTY') return t('users.import.wrong.noName');
      if (field === 'avatar') return t('users.import.wrong.avatar');
      if (field !== 'status') return fallback;
      return t(cell('status') === '0' ? 'users.import.wrong.lastAdministrator' : 'imports.status');
    },
  };
}
