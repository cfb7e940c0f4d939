import type { PushTargetResponse } from '@callboard/client';
import { App, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../../shared/callboard';
import { useConfirm } from '../../../parts/use-confirm';
import { useToastMutation } from '../../../parts/use-toast-mutation';

const NOT_FOUND = 404;

/** Button that deletes the push target of a terminal after a confirmation. */
export function DeleteTarget({ target: { id, terminal_id: terminal } }: { target: PushTargetResponse }) {
  const { t } = useTranslation('panel');
  const confirm = useConfirm();
  const { message } = App.useApp();
  const deleting = useToastMutation(() => callboard.push.deleteUserTarget({ path: { id } }), {
    done: t('push.removed'),
    changes: ['push-targets', 'audit'],
    onError: ({ code }) => {
      const isGone = code === NOT_FOUND;
      if (isGone) void message.info(t('push.gone'));
      return isGone;
    },
  });
  const remove = async (): Promise<void> => {
    const question = {
      title: t('push.removeOne', { terminal }),
      content: t('push.removeHint'),
      ok: t('push.remove'),
    };
    if (await confirm(question)) await deleting.run();
  };
  return (
    <Button
      danger
      loading={deleting.isPending}
      aria-label={t('push.removeOne', { terminal })}
      onClick={() => void remove()}
    >
      {t('push.remove')}
    </Button>
  );
}
