import { useState } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Flex, Pagination } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { callboard } from '../../../shared/callboard';
import { ErrorAlert } from '../../parts/error-alert';
import { DataTable } from '../../parts/tables/data-table';

const PER_PAGE = 20;

/** The members of a conversation, the longest membership first. */
export function ConversationMembers({ id }: { id: number }) {
  const { t } = useTranslation('panel');
  const [page, setPage] = useState(1);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['conversations', 'members', id, page],
    queryFn: ({ signal }) =>
      callboard.conversations.listConversationMembers({
        path: { id },
        query: { page, per_page: PER_PAGE },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  return (
    <Flex vertical gap="small">
      <ErrorAlert error={error} onRetry={() => void refetch()} />
      <DataTable
        density="small"
        rowKey="user_id"
        rows={data?.items ?? []}
        isLoading={isPending}
        isFailed={error !== null}
        columns={[
          {
            key: 'name',
            title: t('users.name'),
            render: ({ user_id, name }) => (
              <Link href={`/users?user=${user_id}`}>{name ?? t('parts.unnamedUser', { id: user_id })}</Link>
            ),
          },
          {
            key: 'role',
            title: t('users.role'),
            render: ({ role }) => t(`conversations.roles.${role}`),
          },
          { key: 'joined_at', title: t('conversations.joined'), render: ({ joined_at }) => joined_at },
        ]}
      />
      <Pagination
        size="small"
        align="end"
        hideOnSinglePage
        current={page}
        pageSize={PER_PAGE}
        showSizeChanger={false}
        total={data?.pagination.total ?? 0}
        onChange={setPage}
      />
    </Flex>
  );
}
