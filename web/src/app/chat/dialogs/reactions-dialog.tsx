import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { MessageResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { Dialog } from '../../parts/dialog';
import { Retry } from '../../parts/retry';
import { useLiveMessage } from '../chat-context';
import { PeopleList } from './people-list';

interface Props {
  message: MessageResponse;
  onClose: () => void;
}

/** Reactions to a message with their users, updated live. */
export function ReactionsDialog({ message, onClose }: Props) {
  const { t } = useTranslation('client');
  const { id, reactions } = useLiveMessage(message);
  const { data, error, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ['reactions', id, reactions],
    queryFn: ({ pageParam, signal }) =>
      callboard.messages.listReactions({ path: { id }, query: { page: pageParam, per_page: 50 }, signal }),
    initialPageParam: 1,
    // The previous list stays visible while it is refetched.
    placeholderData: keepPreviousData,
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.current_page + 1 : undefined),
  });
  return (
    <Dialog title={t('chat.reactions')} onClose={onClose}>
      {error !== null && <Retry error={error} onRetry={() => void refetch()} />}
      <PeopleList
        isFailed={error !== null}
        people={data?.pages.flatMap(({ items }) =>
          items.map(({ emoji, ...person }) => ({ ...person, aside: emoji })),
        )}
        empty={t('chat.nobodyYet')}
        onMore={hasNextPage ? () => void fetchNextPage() : undefined}
      />
    </Dialog>
  );
}
