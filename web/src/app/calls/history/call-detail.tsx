import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearch } from 'wouter';
import { callboard } from '../../../shared/callboard';
import { useFormat } from '../../format';
import { Picture } from '../../../shared/picture';
import { MessageButton } from '../../contacts/message-button';
import { Icon } from '../../icons';
import { Timestamp } from '../../parts/timestamp';
import { Retry } from '../../parts/retry';
import { CallButton } from '../call-button';
import { Direction, peerOf, useOutcome } from './outcome';

/** Details of a call, with buttons to call again and to write a message. */
export function CallDetail({ callId }: { callId: number }) {
  const { t } = useTranslation(['client', 'shared']);
  const format = useFormat();
  const outcome = useOutcome();
  const search = useSearch();
  const {
    data: call,
    error,
    refetch,
  } = useQuery({
    queryKey: ['calls', 'one', callId],
    queryFn: ({ signal }) => callboard.calls.get({ path: { callId }, signal }),
  });
  return (
    <div className="detail-body">
      <Link href={`/calls${search && `?${search}`}`} className="detail-back">
        <Icon name="back" size={20} /> {t('calls.history.back')}
      </Link>
      {error !== null && <Retry error={error} onRetry={() => void refetch()} />}
      {call === undefined && error === null && <output>{t('shared:starting')}</output>}
      {call !== undefined && (
        <section className="profile" aria-label={t('calls.history.of', { name: peerOf(call).name })}>
          <Picture name={peerOf(call).name} url={peerOf(call).avatar} id={peerOf(call).id} />
          <h2>{peerOf(call).name}</h2>
          <div className="profile-actions">
            <CallButton userId={peerOf(call).id} name={peerOf(call).name} mediaType="audio" />
            <CallButton userId={peerOf(call).id} name={peerOf(call).name} mediaType="video" />
            <MessageButton userId={peerOf(call).id} />
            <Link href={`/contacts?person=${peerOf(call).id}`}>{t('calls.history.profile')}</Link>
          </div>
          <dl className="facts">
            <dt>{t('calls.history.outcome')}</dt>
            <dd>{outcome(call)}</dd>
            <dt>{t('calls.history.direction')}</dt>
            <dd>
              <Direction call={call} />
            </dd>
            <dt>{t('calls.history.kind')}</dt>
            <dd>{t(`calls.history.${call.media_type}`)}</dd>
            <dt>{t('calls.history.began')}</dt>
            <dd>
              <Timestamp moment={call.created_at} />
            </dd>
            <dt>{t('calls.history.answered')}</dt>
            <dd>{call.accepted_at === null ? '–' : <Timestamp moment={call.accepted_at} />}</dd>
            <dt>{t('calls.history.over')}</dt>
            <dd>{call.ended_at === null ? '–' : <Timestamp moment={call.ended_at} />}</dd>
            <dt>{t('calls.history.lasted')}</dt>
            <dd>{call.accepted_at === null ? '–' : format.duration(call.duration)}</dd>
          </dl>
        </section>
      )}
    </div>
  );
}
