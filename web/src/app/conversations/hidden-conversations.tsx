import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { callboard } from '../../shared/callboard';
import { Picture } from '../../shared/picture';
import { ErrorMessage } from '../../shared/error-message';
import { queryClient } from '../../shared/query-client';
import { useServiceMutation } from '../../shared/use-service-mutation';
import { NotLoaded } from '../parts/not-loaded';
import { Retry } from '../parts/retry';

const PER_PAGE = 50;

/** List of the user's hidden conversations, each with a button that unhides it. */
export function HiddenConversations() {
  const { t } = useTranslation('client');
  const { data, error, hasNextPage, fetchNextPage, isFetching, refetch } = useInfiniteQuery({
    queryKey: ['hidden-conversations'],
    queryFn: ({ pageParam, signal }) =>
      callboard.conversations.list({ query: { hidden: 1, page: pageParam, per_page: PER_PAGE }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.current_page + 1 : undefined),
  });
  const show = useServiceMutation(async (id: number) => {
    await callboard.conversations.changeSettings({ path: { id }, body: { hidden: false } });
    await queryClient.invalidateQueries({ queryKey: ['hidden-conversations'] });
  });
  const hidden = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <section className="hidden-conversations" aria-label={t('conversations.hiddenOnes')}>
      <Link href="/conversations">{t('conversations.backToAll')}</Link>
      <h2>{t('conversations.hiddenOnes')}</h2>
      {data === undefined && <NotLoaded error={error} onRetry={() => void refetch()} />}
      {data !== undefined && error !== null && <Retry error={error} onRetry={() => void refetch()} />}
      {show.error !== undefined && <ErrorMessage error={show.error} />}
      {data !== undefined && hidden.length === 0 && <p>{t('conversations.nothingHidden')}</p>}
      <ul className="plain-list">
        {hidden.map(({ id, name, avatar, peer_id: peerId }) => (
          <li key={id}>
            <Picture name={name} url={avatar} id={peerId ?? id} />
            <span className="grow">{name}</span>
            <button type="button" disabled={show.isPending} onClick={() => void show.run(id)}>
              {t('conversations.show')}
            </button>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" disabled={isFetching} onClick={() => void fetchNextPage()}>
          {t('conversations.more')}
        </button>
      )}
    </section>
  );
}
