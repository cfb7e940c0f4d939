import type { AdminCallDetailResponse } from '@callboard/client';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/format';
import { PartyName } from './party-name';

/** What happened in a call, in order. */
export function CallTimeline({ call }: { call: AdminCallDetailResponse }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  return (
    <ol className="timeline">
      {call.timeline.map(({ at, event, user_id }) => (
        <li key={event}>
          <strong>{t(`calls.events.${event}`)}</strong> · {format.dateTime(at)} ·{' '}
          <PartyName call={call} userId={user_id} />
        </li>
      ))}
    </ol>
  );
}
