import { useTranslation } from 'react-i18next';
import { Link, useSearch } from 'wouter';
import type { CallResponse } from '@callboard/client';
import { Timestamp } from '../../parts/timestamp';
import { Picture } from '../../../shared/picture';
import { CallButton } from '../call-button';
import { Direction, peerOf, useShortOutcome } from './outcome';

interface Props {
  calls: CallResponse[];
  /** Id of the call whose details are shown. */
  currentId: number;
}

/** A page of calls, each with a link to its details and a call button. */
export function CallList({ calls, currentId }: Props) {
  const { t } = useTranslation('client');
  const outcome = useShortOutcome();
  const search = useSearch();
  return (
    <ul className="entries" aria-label={t('calls.history.list')}>
      {calls.map((call) => {
        const { id, name, avatar } = peerOf(call);
        return (
          <li key={call.call_id} className="entry">
            <Link
              href={`/calls/${call.call_id}${search && `?${search}`}`}
              aria-current={call.call_id === currentId ? 'true' : undefined}
            >
              <Picture name={name} url={avatar} id={id} />
              <span className="entry-words">
                <strong>{name}</strong>
                <span className="entry-more">
                  <Direction call={call} />
                  <span>{outcome(call)}</span>
                </span>
                <Timestamp moment={call.created_at} className="entry-more soft" />
              </span>
            </Link>
            <CallButton userId={id} name={name} mediaType={call.media_type} isIcon />
          </li>
        );
      })}
    </ul>
  );
}
