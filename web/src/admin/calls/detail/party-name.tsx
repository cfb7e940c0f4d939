import type { AdminCallDetailResponse } from '@callboard/client';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';

interface Props {
  call: AdminCallDetailResponse;
  userId: number | null;
}

/** The name of a participant, or of the service if no user caused the event. */
export function PartyName({ call: { caller, callee }, userId }: Props) {
  const { t } = useTranslation('panel');
  if (userId === null) return t('calls.system');
  const party = [caller, callee].find(({ id }) => id === userId);
  return <Link href={`/users?user=${userId}`}>{party?.name ?? t('parts.unnamedUser', { id: userId })}</Link>;
}
