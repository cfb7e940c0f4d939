import type { AnnouncementResponse } from '@callboard/client';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../shared/callboard';
import { useToastMutation } from '../../parts/use-toast-mutation';
import { useConfirm } from '../../parts/use-confirm';

/** Recalls an announcement after a confirmation. */
export function Withdraw({ announcement: { id, title } }: { announcement: AnnouncementResponse }) {
  const { t } = useTranslation('panel');
  const confirm = useConfirm();
  const withdrawing = useToastMutation(
    async () => {
      const question = {
        title: t('announcements.withdrawTitle', { title }),
        content: t('announcements.withdrawHint'),
        ok: t('announcements.withdraw'),
      };
      if (await confirm(question)) await callboard.announcements.recall({ path: { id } });
    },
    { changes: ['announcements'] },
  );
  return (
    <Button danger loading={withdrawing.isPending} onClick={() => void withdrawing.run()}>
      {t('announcements.withdraw')}
    </Button>
  );
}
