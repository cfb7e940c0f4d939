import { useQuery } from '@tanstack/react-query';
import { Drawer, Flex, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../shared/callboard';
import { useFormat } from '../../format';
import { toCallboardError } from '../../../shared/session';
import { useUrlState } from '../../../shared/url-state';
import { ErrorAlert } from '../../parts/error-alert';
import { AnnouncementCard } from '../announcement-card';
import { AnnouncementFacts } from './announcement-facts';
import { isWithdrawing, Withdrawal } from './withdrawal';
import { Withdraw } from './withdraw';

const REFETCH_MS = 30_000;
/** Polling interval while the reach is counted or copies are removed from inboxes. */
const WORKING_MS = 1_000;
const NOT_FOUND = 404;

/** One announcement (`?announcement=ID`): content, reach, and the button that recalls it. */
export function AnnouncementDrawer() {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const url = useUrlState();
  const id = url.number('announcement');
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['announcements', 'one', id],
    queryFn: ({ signal }) => callboard.announcements.get({ path: { id: id ?? 0 }, signal }),
    enabled: id !== undefined,
    refetchInterval: ({ state: { data: shown } }) => {
      if (shown === undefined) return false;
      return shown.reach.counted_at === null || isWithdrawing(shown) ? WORKING_MS : REFETCH_MS;
    },
  });
  const isGone = error !== null && toCallboardError(error).code === NOT_FOUND;
  return (
    <Drawer
      open={id !== undefined}
      size={560}
      title={id !== undefined && <h2>{t('announcements.detail', { id })}</h2>}
      extra={data?.status === 'sent' && <Withdraw announcement={data} />}
      onClose={() => url.set({ announcement: null })}
    >
      <Flex vertical gap="middle">
        <ErrorAlert
          error={error}
          advice={isGone ? t('announcements.gone') : undefined}
          onRetry={isGone ? undefined : () => void refetch()}
        />
        {isPending && error === null && <Skeleton active title={false} />}
        {data && (
          <>
            <Withdrawal announcement={data} />
            <AnnouncementCard {...data} when={format.dateTime(data.created_at)} />
            <AnnouncementFacts announcement={data} />
          </>
        )}
      </Flex>
    </Drawer>
  );
}
