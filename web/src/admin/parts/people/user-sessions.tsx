import { useQuery } from '@tanstack/react-query';
import { Button, Flex, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../shared/callboard';
import { ErrorAlert } from '../error-alert';
import { useToastMutation } from '../use-toast-mutation';
import { useConfirm } from '../use-confirm';
import { SessionList } from './session-list';
import { useUserName } from './user-name';

/** Maximum number of sessions that the service returns. */
const MAX_SESSIONS = 200;

/** The sessions of a user; ends one or all of them. */
export function UserSessions({ userId }: { userId: number }) {
  const { t } = useTranslation('panel');
  const name = useUserName(userId);
  const confirm = useConfirm();
  const path = { id: userId };
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ['sessions', userId],
    queryFn: ({ signal }) => callboard.users.listSessions({ path, signal }),
    refetchOnWindowFocus: 'always',
    refetchInterval: 30_000,
  });
  const endingAll = useToastMutation(() => callboard.users.endSessions({ path }), {
    done: t('sessions.allEnded'),
    changes: ['sessions', 'audit'],
  });
  const endAll = async (): Promise<void> => {
    const question = {
      title: t('sessions.endAllOf', { name }),
      content: t('sessions.endAllHint'),
      ok: t('sessions.endAll'),
    };
    if (await confirm(question)) await endingAll.run();
  };
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
          <Button danger loading={endingAll.isPending} onClick={() => void endAll()}>
            {t('sessions.endAll')}
          </Button>
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
