import { App, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { ApiKeyResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useToastMutation } from '../parts/use-toast-mutation';
import { useConfirm } from '../parts/use-confirm';

const NOT_FOUND = 404;

export function RevokeKey({ apiKey: { id, name } }: { apiKey: ApiKeyResponse }) {
  const { t } = useTranslation('panel');
  const { message } = App.useApp();
  const confirm = useConfirm();
  const revoking = useToastMutation(
    () => callboard.keys.revoke({ path: { id }, body: { end_sessions: true } }),
    {
      done: t('keys.wasRevoked'),
      changes: ['keys', 'sessions', 'audit'],
      onError: ({ code }) => {
        const isGone = code === NOT_FOUND;
        if (isGone) void message.info(t('keys.gone'));
        return isGone;
      },
    },
  );
  const revoke = async (): Promise<void> => {
    const question = {
      title: t('keys.revokeOne', { name }),
      content: t('keys.revokeHint'),
      ok: t('keys.revoke'),
    };
    if (await confirm(question)) await revoking.run();
  };
  return (
    <Button
      danger
      loading={revoking.isPending}
      aria-label={t('keys.revokeOne', { name })}
      onClick={() => void revoke()}
    >
      {t('keys.revoke')}
    </Button>
  );
}
