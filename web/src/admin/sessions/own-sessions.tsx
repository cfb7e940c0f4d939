import { useQuery } from '@tanstack/react-query';
import { Button, Flex, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import { SessionList } from '../parts/people/session-list';
import { ErrorAlert } from '../parts/error-alert';
import { useToastMutation } from '../parts/use-toast-mutation';
import { useConfirm } from '../parts/use-confirm';

/** The sessions of the signed-in user; ends one of them, or all except the current one. */
export function OwnSessions() {
  const { t } = useTranslation('panel');
  const confirm = useConfirm();
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ['sessions', 'own'],
    queryFn: ({ signal }) => callboard.identity.listSessions({ signal }),
    refetchOnWindowFocus: 'always',
  });
  const endingOthers = useToastMutation(() => callboard.identity.endOtherSessions(), {
    done: t('sessions.othersEnded'),
    changes: ['sessions'],
  });
  const endOthers = async (): Promise<void> => {
    const question = {
      title: t('sessions.endOthersTitle'),
      content: t('sessions.endOthersHint'),
      ok: t('sessions.endOthers'),
    };
    if (await confirm(question)) await endingOthers.run();
  };
  if (isPending) return <Skeleton active title={false} />;
  if (data === undefined) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  return (
    <>
      {data.items.some(({ current }) => !current) && (
        <Flex justify="flex-end">
          <Button danger loading={endingOthers.isPending} onClick={() => void endOthers()}>
            {t('sessions.endOthers')}
          </Button>
        </Flex>
      )}
      <SessionList
        label={t('sessions.own')}
        sessions={data.items}
        onEnd={({ id }) => callboard.identity.endSession({ path: { id } })}
      />
    </>
  );
}
