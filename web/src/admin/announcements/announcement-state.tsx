import type { AnnouncementResponse } from '@callboard/client';
import { useTranslation } from 'react-i18next';
import { Status } from '../parts/status';

export function AnnouncementState({ announcement: { status } }: { announcement: AnnouncementResponse }) {
  const { t } = useTranslation('panel');
  return (
    <Status kind={status === 'sent' ? 'success' : 'default'} label={t(`announcements.states.${status}`)} />
  );
}

const AUDIENCES = {
  all: 'announcements.audiences.all',
  'role:user': 'announcements.audiences.role_user',
  'role:admin': 'announcements.audiences.role_admin',
  users: 'announcements.audiences.users',
} as const;

/** The audience of an announcement as text. */
export function Audience({ announcement: { audience } }: { announcement: AnnouncementResponse }) {
  const { t } = useTranslation('panel');
  return t(AUDIENCES[audience]);
}
