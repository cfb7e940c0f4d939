import { useQuery } from '@tanstack/react-query';
import { Flex, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../shared/callboard';
import { ErrorAlert } from '../error-alert';
import { EndAllSessions } from './end-all-sessions';
import { SessionList } from './session-list';
import { useUserName } from './user-name';

/** Maximum number of sessions that the service returns. */
const MAX_SESSIONS = 200;

/** The sessions of a user; ends one or all of them. */
export function UserSessions({ userId }: { userId: number }) {
  const { t } = useTranslation('panel');
  const name = useUserName(userId);
  const path = { id: userId };
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ['sessions', userId],
    queryFn: ({ signal }) => callboard.users.listSessions({ path, signal }),
    refetchOnWindowFocus: 'always',
    refetchInterval: 30_000,
  });
  if (isPending) return <Skeleton active title={false} />;
  if (data === undefined) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  return (
    <Flex vertical gap="small">
      <ErrorAlert error={error} onRetry={() => void refetch()} />
      {data.items.length > 0 && (
        <Flex justify="space-between" align="center" wrap gap="small">
          <output>
            {t(data.items.length === MAX_SESSIONS ? 'sessions.first' : 'sessions.count', {
              total: data.items.length,
            })}
          </output>
          <EndAllSessions userId={userId} />
        </Flex>
      )}
      <SessionList
        label={t('sessions.of', { name })}
        sessions={data.items}
        onEnd={({ id }) => callboard.users.endSession({ path: { ...path, sessionId: id } })}
      />
    </Flex>
  );
}
