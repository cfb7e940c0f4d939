import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListCallsData } from '@callboard/client';
import type { UrlState } from '../../../shared/url-state';

type Filters = NonNullable<ListCallsData['query']>;

const SHOWN = ['all', 'missed', 'incoming', 'outgoing'] as const;
const KINDS = ['audio', 'video'] as const;

const shownOf = (url: UrlState): (typeof SHOWN)[number] =>
  SHOWN.find((each) => each === url.text('show')) ?? 'all';
const kindOf = (url: UrlState): (typeof KINDS)[number] | undefined =>
  KINDS.find((each) => each === url.text('kind'));

/** Converts the filters in the URL to query parameters of the service. */
export function filtersOf(url: UrlState): Filters {
  const [shown, kind] = [shownOf(url), kindOf(url)];
  return {
    ...(shown === 'missed' && { missed: 1 }),
    ...((shown === 'incoming' || shown === 'outgoing') && { direction: shown }),
    ...(kind !== undefined && { media_type: kind }),
  };
}

/** Lets the user filter calls by direction, missed calls and media type. */
export function CallFilters({ url }: { url: UrlState }) {
  const { t } = useTranslation('client');
  const id = useId();
  const shown = shownOf(url);
  return (
    <div className="call-filters">
      <fieldset className="switch">
        <legend className="for-screen-readers">{t('calls.history.show')}</legend>
        {SHOWN.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={shown === each}
            onClick={() => url.set({ show: each === 'all' ? null : each, page: null })}
          >
            {t(`calls.history.${each}`)}
          </button>
        ))}
      </fieldset>
      <label htmlFor={id} className="for-screen-readers">
        {t('calls.history.kind')}
      </label>
      <select
        id={id}
        value={kindOf(url) ?? ''}
        onChange={({ target }) => url.set({ kind: target.value, page: null })}
      >
        <option value="">{t('calls.history.anyKind')}</option>
        {KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {t(`calls.history.${kind}`)}
          </option>
        ))}
      </select>
    </div>
  );
}
