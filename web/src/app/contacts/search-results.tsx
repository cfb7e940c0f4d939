import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import { Retry } from '../parts/retry';
import { PeopleList } from './people-list';

const MAX_RESULTS = 30;

/** List of the users that the service finds by a keyword. */
export function SearchResults({ keyword, selectedId }: { keyword: string; selectedId: number | undefined }) {
  const { t } = useTranslation(['client', 'shared']);
  const { data, error, refetch } = useQuery({
    queryKey: ['people', keyword],
    queryFn: ({ signal }) => callboard.people.search({ query: { keyword, limit: MAX_RESULTS }, signal }),
  });
  if (error !== null)
    return (
      <div className="list-problem">
        <Retry error={error} onRetry={() => void refetch()} />
      </div>
    );
  return (
    <>
      <output className="list-note">
        {data === undefined && t('contacts.searching')}
        {data?.items.length === 0 && t('contacts.noResults')}
        {data !== undefined &&
          data.items.length > 0 &&
          t('contacts.foundCount', { number: data.items.length })}
      </output>
      <PeopleList label={t('contacts.found')} people={data?.items ?? []} selectedId={selectedId} />
    </>
  );
}
