import type { AnnouncementResponse } from '@callboard/client';
import { Alert, Spin } from 'antd';
import { useTranslation } from 'react-i18next';

/**
 * Whether copies are still being removed. After the last one the service counts once more, so `counted_at` must follow
 * `recalled_at`.
 */
export const isWithdrawing = ({ recalled_at, reach }: AnnouncementResponse): boolean =>
  recalled_at !== null &&
  (reach.delivered > 0 || reach.counted_at === null || reach.counted_at < recalled_at);

/** Progress of a recall. */
export function Withdrawal({ announcement }: { announcement: AnnouncementResponse }) {
  const { t } = useTranslation('panel');
  if (announcement.recalled_at === null) return null;
  return (
    <div aria-live="polite">
      {isWithdrawing(announcement) ? (
        <Alert type="info" icon={<Spin size="small" />} showIcon title={t('announcements.withdrawing')} />
      ) : (
        <Alert type="success" showIcon title={t('announcements.withdrawn')} />
      )}
    </div>
  );
}
