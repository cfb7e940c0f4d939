import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import type { UrlState } from '../../shared/url-state';
import { Pagination } from '../calls/history/pagination';
import { Retry } from '../parts/retry';
import { PeopleList } from './people-list';

const PER_PAGE = 30;

/** List of the users that the user has blocked. */
export function BlockedPeople({ url, selectedId }: { url: UrlState; selectedId: number | undefined }) {
  const { t } = useTranslation(['client', 'shared']);
  const page = url.number('page') ?? 1;
  const { data, error, refetch } = useQuery({
    queryKey: ['blocks', page],
    queryFn: ({ signal }) => callboard.people.listBlocks({ query: { page, per_page: PER_PAGE }, signal }),
  });
  if (error !== null)
    return (
      <div className="list-problem">
        <Retry error={error} onRetry={() => void refetch()} />
      </div>
    );
  if (data === undefined) return <output className="list-note">{t('shared:starting')}</output>;
  if (data.items.length === 0) return <p className="list-note">{t('contacts.nobodyBlocked')}</p>;
  return (
    <>
      <PeopleList label={t('contacts.blocked')} people={data.items} selectedId={selectedId} />
      <Pagination
        page={page}
        pageCount={data.pagination.last_page}
        onPage={(next) => url.set({ page: next })}
      />
    </>
  );
}
