import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { MessageResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useFormat } from '../../format';
import { Dialog } from '../../parts/dialog';
import { Retry } from '../../parts/retry';
import { useLiveMessage } from '../chat-context';
import { PeopleList } from './people-list';

interface Props {
  message: MessageResponse;
  onClose: () => void;
}

/** Members who have read the user's message, with the time, updated live. */
export function ReadersDialog({ message, onClose }: Props) {
  const { t } = useTranslation('client');
  const format = useFormat();
  const { id, read_count, unread_count } = useLiveMessage(message);
  const { data, error, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ['readers', id, read_count],
    queryFn: ({ pageParam, signal }) =>
      callboard.messages.listReaders({ path: { id }, query: { page: pageParam, per_page: 50 }, signal }),
    initialPageParam: 1,
    // The previous list stays visible while it is refetched.
    placeholderData: keepPreviousData,
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.current_page + 1 : undefined),
  });
  return (
    <Dialog
      title={t('chat.readBy', { count: read_count, total: read_count + unread_count })}
      onClose={onClose}
    >
      {error !== null && <Retry error={error} onRetry={() => void refetch()} />}
      <PeopleList
        isFailed={error !== null}
        people={data?.pages.flatMap(({ items }) =>
          items.map(({ read_at, ...person }) => ({ ...person, aside: format.moment(read_at) })),
        )}
        empty={t('chat.nobodyYet')}
        onMore={hasNextPage ? () => void fetchNextPage() : undefined}
      />
    </Dialog>
  );
}
