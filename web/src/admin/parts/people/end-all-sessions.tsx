import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../shared/callboard';
import { useConfirm } from '../use-confirm';
import { useToastMutation } from '../use-toast-mutation';
import { useUserName } from './user-name';

/** Button that ends all sessions of a user, after a question. */
export function EndAllSessions({ userId }: { userId: number }) {
  const { t } = useTranslation('panel');
  const name = useUserName(userId);
  const confirm = useConfirm();
  const ending = useToastMutation(() => callboard.users.endSessions({ path: { id: userId } }), {
    done: t('sessions.allEnded'),
    changes: ['sessions', 'audit'],
  });
  const endAll = async (): Promise<void> => {
    const question = {
      title: t('sessions.endAllOf', { name }),
      content: t('sessions.endAllHint'),
      ok: t('sessions.endAll'),
    };
    if (await confirm(question)) await ending.run();
  };
  return (
    <Button danger loading={ending.isPending} onClick={() => void endAll()}>
      {t('sessions.endAll')}
    </Button>
  );
}
