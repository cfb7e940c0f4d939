import { useQuery } from '@tanstack/react-query';
import { Empty, Flex, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { AdminCallResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useFormat } from '../../format';
import { CallState } from '../../calls/call-labels';
import { ErrorAlert } from '../../parts/error-alert';

const LATEST = 5;

/** The latest calls of a user, with a link to all of them. */
export function UserCalls({ userId }: { userId: number }) {
  const { t } = useTranslation('panel');
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ['calls', 'latest', userId],
    queryFn: ({ signal }) => callboard.calls.listAll({ query: { user_id: userId, limit: LATEST }, signal }),
    refetchOnWindowFocus: 'always',
  });
  if (isPending) return <Skeleton active title={false} />;
  if (data === undefined) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  return (
    <Flex vertical gap="middle">
      {data.items.length === 0 ? (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('users.calls.none')} />
      ) : (
        <ul className="latest-calls" aria-label={t('users.calls.latest')}>
          {data.items.map((call) => (
            <CallItem key={call.call_id} call={call} userId={userId} />
          ))}
        </ul>
      )}
      <Link href={`/calls?tab=history&user=${userId}`}>{t('users.calls.all')}</Link>
    </Flex>
  );
}

function CallItem({ call, userId }: { call: AdminCallResponse; userId: number }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const isCaller = call.caller.id === userId;
  const other = isCaller ? call.callee : call.caller;
  return (
    <li>
      <span>{format.dateTime(call.created_at)}</span>
      <span>
        {t(isCaller ? 'users.calls.to' : 'users.calls.by')}{' '}
        <Link href={`/users?user=${other.id}`}>{other.name}</Link>
      </span>
      <span>{t(`calls.media.${call.media_type}`)}</span>
      <CallState status={call.status} />
      {call.started_at !== null && <span>{format.duration(call.duration)}</span>}
    </li>
  );
}
