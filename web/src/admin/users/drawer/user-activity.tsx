import { useQuery } from '@tanstack/react-query';
import { Flex, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { callboard } from '../../../shared/callboard';
import { useConversationName } from '../../conversations/conversation-columns';
import { useFormat } from '../../format';
import { Chart } from '../../overview/charts/chart';
import { ErrorAlert } from '../../parts/error-alert';
import { DataTable } from '../../parts/tables/data-table';
import { callsByDay, LAST_DAYS } from './calls-by-day';
import '../../overview/overview.css';

/** Number of calls that the chart counts at most: one page of the service. */
const MAX_CALLS = 200;
const MAX_CONVERSATIONS = 10;

/** Calls of a user by day, and the user's newest conversations. */
export function UserActivity({ userId }: { userId: number }) {
  return (
    <Flex vertical gap="middle">
      <CallChart userId={userId} />
      <Conversations userId={userId} />
    </Flex>
  );
}

function CallChart({ userId }: { userId: number }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const { data, dataUpdatedAt, error, isPending, refetch } = useQuery({
    queryKey: ['calls', 'activity', userId],
    queryFn: ({ signal }) =>
      callboard.calls.listAll({ query: { user_id: userId, limit: MAX_CALLS }, signal }),
  });
  if (isPending) return <Skeleton active title={false} />;
  if (data === undefined) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  const isCut = data.next_cursor !== null;
  // The first ten characters of a time in the service's time zone are the day.
  const calls = data.items.map(({ created_at, accepted_at }) => ({
    day: format.dateTime(created_at).slice(0, 10),
    isAnswered: accepted_at !== null,
  }));
  const today = format.dateTime(new Date(dataUpdatedAt).toISOString()).slice(0, 10);
  return (
    <Chart
      title={t('users.activity.calls', { count: LAST_DAYS })}
      remark={isCut ? t('users.activity.newest', { total: MAX_CALLS }) : undefined}
      bars={callsByDay(calls, today)}
      series={[
        { name: 'answered', label: t('overview.answered') },
        { name: 'no_answer', label: t('users.activity.unanswered') },
      ]}
    />
  );
}

function Conversations({ userId }: { userId: number }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['conversations', 'of', userId],
    queryFn: ({ signal }) =>
      callboard.conversations.listAll({ query: { user_id: userId, limit: MAX_CONVERSATIONS }, signal }),
  });
  return (
    <section aria-labelledby="user-conversations">
      <h3 id="user-conversations">{t('users.activity.conversations')}</h3>
      <ErrorAlert error={error} onRetry={() => void refetch()} />
      <DataTable
        density="small"
        rowKey="id"
        rows={data?.items ?? []}
        isLoading={isPending}
        isFailed={error !== null}
        columns={[
          {
            key: 'name',
            title: t('conversations.name'),
            render: (conversation) => <ConversationLink conversation={conversation} />,
          },
          {
            key: 'messages',
            title: t('conversations.messages'),
            align: 'end',
            render: ({ message_count }) => format.number(message_count),
          },
          {
            key: 'last',
            title: t('conversations.lastMessage'),
            render: ({ last_message_at }) => format.dateTime(last_message_at),
          },
        ]}
      />
      <Link href={`/conversations?member=${userId}`}>{t('users.activity.allConversations')}</Link>
    </section>
  );
}

function ConversationLink({ conversation }: { conversation: Parameters<typeof useConversationName>[0] }) {
  const name = useConversationName(conversation);
  return <Link href={`/conversations?conversation=${conversation.id}`}>{name}</Link>;
}
