import { useTranslation } from 'react-i18next';
import type { AdminUserResponse } from '@callboard/client';
import { useFormat } from '../format';
import { Status } from '../parts/status';

/** Whether a user may log in. */
export function UserStatus({ status }: Pick<AdminUserResponse, 'status'>) {
  const { t } = useTranslation('panel');
  return status === 1 ? (
    <Status kind="success" label={t('users.enabled')} />
  ) : (
    <Status kind="error" label={t('users.disabled')} />
  );
}

/** Whether a user is online, otherwise when the user was last seen. */
export function UserPresence({ online, last_seen_at }: Pick<AdminUserResponse, 'online' | 'last_seen_at'>) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  if (online) return <Status kind="success" label={t('users.online')} />;
  const word = last_seen_at === null ? t('users.neverSeen') : format.dateTime(last_seen_at);
  return <Status kind="default" label={word} />;
}
