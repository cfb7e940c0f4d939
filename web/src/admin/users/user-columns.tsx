import { useTranslation } from 'react-i18next';
import { Link, useSearch } from 'wouter';
import type { AdminUserResponse } from '@callboard/client';
import { useFormat } from '../format';
import { Picture } from '../../shared/picture';
import { UserPresence, UserStatus } from './user-states';
import type { ListColumn } from '../parts/tables/list-column';

/** Columns of the user list, in display order. */
export function useUserColumns(): ListColumn<AdminUserResponse>[] {
  const { t } = useTranslation(['panel', 'shared']);
  const format = useFormat();
  return [
    { key: 'name', title: t('users.name'), render: (user) => <NameCell user={user} /> },
    { key: 'id', title: t('users.columns.id'), render: ({ id }) => id, isSortable: true, isOptional: true },
    {
      key: 'account',
      title: t('users.columns.account'),
      render: ({ account }) => account ?? '–',
      isSortable: true,
    },
    { key: 'role', title: t('users.columns.role'), render: ({ role }) => t(`shared:roles.${role}`) },
    {
      key: 'status',
      title: t('users.columns.status'),
      render: ({ status }) => <UserStatus status={status} />,
    },
    {
      key: 'last_seen_at',
      title: t('users.columns.last_seen_at'),
      render: (user) => <UserPresence {...user} />,
      isSortable: true,
    },
    {
      key: 'created_at',
      title: t('users.columns.created_at'),
      render: ({ created_at }) => format.dateTime(created_at),
      isSortable: true,
    },
    {
      key: 'external_id',
      title: t('users.columns.external_id'),
      render: ({ external_id }) => external_id ?? '–',
      isOptional: true,
    },
  ];
}

/** Links to the drawer of the user; also works in a new tab. */
function NameCell({ user }: { user: AdminUserResponse }) {
  const params = new URLSearchParams(useSearch());
  params.set('user', String(user.id));
  return (
    <span className="user-name">
      <Picture name={user.name} url={user.avatar} />
      <Link href={`/users?${params.toString()}`}>{user.name}</Link>
    </span>
  );
}
