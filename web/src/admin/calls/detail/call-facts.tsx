import type { AdminCallDetailResponse } from '@callboard/client';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format';
import { FactsTable } from '../../parts/facts-table';
import { CallState, isEnded, useEndReasonLabel } from '../call-labels';
import { PartyName } from './party-name';

/** Participants, times, duration and end reason of a call. */
export function CallFacts({ call }: { call: AdminCallDetailResponse }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const reasonLabel = useEndReasonLabel();
  const ending = [
    { key: 'over', label: t('calls.over'), children: format.dateTime(call.ended_at) },
    { key: 'duration', label: t('calls.duration'), children: format.duration(call.duration) },
    { key: 'reason', label: t('calls.reason'), children: reasonLabel(call.end_reason) },
    { key: 'by', label: t('calls.endedBy'), children: <PartyName call={call} userId={call.ended_by} /> },
  ];
  return (
    <FactsTable
      facts={[
        {
          key: 'state',
          label: t('calls.state'),
          children: (
            <div aria-live="polite">
              <CallState status={call.status} />
              {call.missed && ` · ${t('calls.missedYes')}`}
            </div>
          ),
        },
        { key: 'kind', label: t('calls.kind'), children: t(`calls.media.${call.media_type}`) },
        {
          key: 'caller',
          label: t('calls.caller'),
          children: <PartyName call={call} userId={call.caller.id} />,
        },
        {
          key: 'callee',
          label: t('calls.callee'),
          children: <PartyName call={call} userId={call.callee.id} />,
        },
        { key: 'placed', label: t('calls.placed'), children: format.dateTime(call.created_at) },
        { key: 'answered', label: t('calls.answered'), children: format.dateTime(call.accepted_at) },
        { key: 'connected', label: t('calls.connected'), children: format.dateTime(call.started_at) },
        ...(isEnded(call.status) ? ending : []),
        { key: 'channel', label: t('calls.channel'), children: <code>{call.channel_name}</code> },
      ]}
    />
  );
}
