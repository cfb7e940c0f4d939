import type { TableColumnsType } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link, useSearch } from 'wouter';
import type { AdminUserResponse } from '@callboard/client';
import { useFormat } from '../format';
import { useUrlState } from '../../shared/url-state';
import { Picture } from '../../shared/picture';
import { UserPresence, UserStatus } from './user-states';
import { SORTED_BY } from './users-query';
import { oneOf } from '../parts/filters/one-of';

/** Selectable columns, in display order. */
export const USER_COLUMNS = [
  'id',
  'account',
  'role',
  'status',
  'last_seen_at',
  'created_at',
  'external_id',
] as const;
export type UserColumn = (typeof USER_COLUMNS)[number];

/** Columns that are selected by default. */
export const DEFAULT_COLUMNS: readonly UserColumn[] = [
  'account',
  'role',
  'status',
  'last_seen_at',
  'created_at',
];

type Column = TableColumnsType<AdminUserResponse>[number];

/** Returns the selected columns after the name, which is always shown. */
export function useUserColumns(visible: readonly UserColumn[]): TableColumnsType<AdminUserResponse> {
  const { t } = useTranslation(['panel', 'shared']);
  const format = useFormat();
  const url = useUrlState();
  const sort = url.text('sort') ?? '';
  const columns: Record<UserColumn, Column> = {
    id: { title: t('users.id'), dataIndex: 'id' },
    account: { title: t('users.account'), render: (_, { account }) => account ?? '–' },
    role: { title: t('users.role'), render: (_, { role }) => t(`shared:roles.${role}`) },
    status: { title: t('users.status'), render: (_, user) => <UserStatus status={user.status} /> },
    last_seen_at: { title: t('users.presence'), render: (_, user) => <UserPresence {...user} /> },
    created_at: {
      title: t('users.created'),
      render: (_, { created_at }) => format.dateTime(created_at),
    },
    external_id: { title: t('users.externalId'), render: (_, { external_id }) => external_id ?? '–' },
  };
  const name: Column = { title: t('users.name'), render: (_, user) => <NameCell user={user} /> };
  const shown = visible.map((key): Column => {
    const column: Column = { ...columns[key], key };
    const field = oneOf(SORTED_BY, key);
    return field === undefined
      ? column
      : {
          ...column,
          sorter: true,
          sortOrder: ({ [field]: 'ascend', [`-${field}`]: 'descend' } as const)[sort],
        };
  });
  return [{ ...name, key: 'name' }, ...shown];
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
