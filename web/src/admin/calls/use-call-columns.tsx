import type { AdminCallResponse } from '@callboard/client';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useFormat } from '../format';
import { useUrlState } from '../../shared/url-state';
import type { ListColumn } from '../parts/tables/list-column';
import { CallState, useEndReasonLabel } from './call-labels';

const party = ({ id, name }: AdminCallResponse['caller']) => <Link href={`/users?user=${id}`}>{name}</Link>;

/** Columns of call tables. Tables of live calls have no column for the end. */
export function useCallColumns({ isLive = false } = {}): ListColumn<AdminCallResponse>[] {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const url = useUrlState();
  const reasonLabel = useEndReasonLabel();
  const ending: ListColumn<AdminCallResponse>[] = [
    {
      title: t('calls.duration'),
      key: 'duration',
      align: 'end',
      render: ({ accepted_at, ended_at, duration }) =>
        format.duration(accepted_at === null || ended_at === null ? null : duration),
    },
    {
      title: t('calls.reason'),
      key: 'end_reason',
      render: ({ end_reason }) => reasonLabel(end_reason),
    },
  ];
  const answered: ListColumn<AdminCallResponse>[] = [
    {
      title: t('calls.answered'),
      key: 'accepted_at',
      render: ({ accepted_at }) => format.dateTime(accepted_at),
    },
  ];
  return [
    {
      title: t('calls.id'),
      key: 'call_id',
      render: ({ call_id }) => (
        <Button
          type="link"
          size="small"
          aria-haspopup="dialog"
          onClick={() => url.set({ call: call_id }, { push: true })}
        >
          {t('calls.detail', { id: call_id })}
        </Button>
      ),
    },
    {
      title: t('calls.state'),
      key: 'status',
      render: ({ status }) => <CallState status={status} />,
    },
    {
      title: t('calls.kind'),
      key: 'media_type',
      render: ({ media_type }) => t(`calls.media.${media_type}`),
    },
    { title: t('calls.caller'), key: 'caller', render: ({ caller }) => party(caller) },
    { title: t('calls.callee'), key: 'callee', render: ({ callee }) => party(callee) },
    {
      title: t('calls.placed'),
      key: 'created_at',
      render: ({ created_at }) => format.dateTime(created_at),
    },
    ...(isLive ? answered : ending),
  ];
}
