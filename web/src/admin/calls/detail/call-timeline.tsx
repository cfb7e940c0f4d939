import type { AdminCallDetailResponse } from '@callboard/client';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format';
import { END_REASONS, useEndReasonLabel } from '../call-labels';
import { PartyName } from './party-name';

type Event = AdminCallDetailResponse['timeline'][number]['event'];

/** Events of a call in order, and its outcome. */
export function CallTimeline({ call }: { call: AdminCallDetailResponse }) {
  const format = useFormat();
  const labelFor = useEventLabel(call);
  return (
    <ol className="timeline">
      {call.timeline.map(({ at, event, user_id }) => (
        <li key={event}>
          <strong>{labelFor(event)}</strong> · {format.dateTimeSeconds(at)}
          {user_id !== null && (
            <>
              {' · '}
              <PartyName call={call} userId={user_id} />
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

const ENDS: ReadonlySet<Event> = new Set(['rejected', 'cancelled', 'ended']);

/**
 * Returns a function that labels an event. The label of the last event has the reason, and the duration of an answered
 * call.
 */
function useEventLabel({
  accepted_at,
  duration,
  end_reason,
}: AdminCallDetailResponse): (event: Event) => string {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const reasonLabel = useEndReasonLabel();
  return (event) => {
    const word = t(`calls.events.${event}`);
    if (!ENDS.has(event) || end_reason === null) return word;
    const isKnown = END_REASONS.some((reason) => reason === end_reason);
    const outcome = isKnown ? reasonLabel(end_reason) : t('calls.because', { word, reason: end_reason });
    return accepted_at === null
      ? outcome
      : t('calls.after', { outcome, duration: format.duration(duration) });
  };
}
