import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { MessageResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { Problem } from '../../../shared/problem';
import { toCallboardError } from '../../../shared/session';
import { Dialog } from '../../parts/dialog';
import { PeopleList } from './people-list';

interface Props {
  message: MessageResponse;
  onClose: () => void;
}

/** Who has reacted to a message, and with what. */
export function ReactionsDialog({ message: { id }, onClose }: Props) {
  const { t } = useTranslation('client');
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['reactions', id],
    queryFn: ({ pageParam, signal }) =>
      callboard.messages.listReactions({ path: { id }, query: { page: pageParam, per_page: 50 }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.current_page + 1 : undefined),
  });
  return (
    <Dialog title={t('chat.reactions')} onClose={onClose}>
      {error !== null && <Problem error={toCallboardError(error)} />}
      <PeopleList
        people={data?.pages.flatMap(({ items }) =>
          items.map(({ emoji, ...person }) => ({ ...person, aside: emoji })),
        )}
        empty={t('chat.nobodyYet')}
        onMore={hasNextPage ? () => void fetchNextPage() : undefined}
      />
    </Dialog>
  );
}
