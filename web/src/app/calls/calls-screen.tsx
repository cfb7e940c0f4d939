import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'wouter';
import { callboard } from '../../shared/callboard';
import { queryClient } from '../../shared/query-client';
import { useUrlState } from '../../shared/url-state';
import { Icon } from '../icons';
import { NewCall } from '../lazy-parts';
import { LazyDialog } from '../parts/lazy-dialog';
import { Retry } from '../parts/retry';
import { TwoColumns } from '../shell/two-columns';
import { useEvents } from '../use-events';
import { CallDetail } from './history/call-detail';
import { CallFilters, filtersOf } from './history/call-filters';
import { CallList } from './history/call-list';
import { Pagination } from './history/pagination';
import './history/history.css';

const PER_PAGE = 20;

/** Screen with the user's calls, newest first, and the details of one. */
export function CallsScreen() {
  const { t } = useTranslation(['client', 'shared']);
  const { id } = useParams();
  const url = useUrlState();
  const [isPlacing, setPlacing] = useState(false);
  const page = url.number('page') ?? 1;
  const filters = filtersOf(url);
  const { data, error, refetch } = useQuery({
    queryKey: ['calls', filters, page],
    queryFn: ({ signal }) =>
      callboard.calls.list({ query: { ...filters, page, per_page: PER_PAGE }, signal }),
    placeholderData: (before) => before,
  });
  useEvents(({ type }) => {
    if (type.startsWith('call.') && type !== 'call.signal')
      void queryClient.invalidateQueries({ queryKey: ['calls'] });
  });
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <TwoColumns
        title={t('screens.calls')}
        actions={
          <button
            type="button"
            className="icon-button"
            aria-label={t('calls.history.new')}
            onClick={() => setPlacing(true)}
          >
            <Icon name="plus" />
          </button>
        }
        showsDetail={id !== undefined}
        list={
          <>
            <CallFilters url={url} />
            {error !== null && (
              <div className="list-problem">
                <Retry error={error} onRetry={() => void refetch()} />
              </div>
            )}
            {data === undefined && error === null && (
              <output className="list-note">{t('shared:starting')}</output>
            )}
            {data?.items.length === 0 && (
              <p className="list-note">{t(isFiltered ? 'calls.history.noneSuch' : 'calls.history.none')}</p>
            )}
            {data !== undefined && data.items.length > 0 && (
              <CallList calls={data.items} currentId={Number(id)} />
            )}
            {data !== undefined && (
              <Pagination
                page={page}
                pageCount={data.pagination.last_page}
                onPage={(next) => url.set({ page: next })}
              />
            )}
          </>
        }
        detail={
          id === undefined ? (
            <p className="empty">{t('calls.history.choose')}</p>
          ) : (
            <CallDetail key={id} callId={Number(id)} />
          )
        }
      />
      {isPlacing && (
        <LazyDialog>
          <NewCall onClose={() => setPlacing(false)} />
        </LazyDialog>
      )}
    </>
  );
}
