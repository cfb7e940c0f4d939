import type { AdminCallResponse } from '@callboard/client';
import { Button, type TableColumnsType } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useFormat } from '../format';
import { useUrlState } from '../../shared/url-state';
import { CallState, useEndReasonLabel } from './call-labels';

const party = ({ id, name }: AdminCallResponse['caller']) => <Link href={`/users?user=${id}`}>{name}</Link>;

/** Columns of call tables. Tables of live calls have no column for the end. */
export function useCallColumns({ isLive = false } = {}): TableColumnsType<AdminCallResponse> {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const url = useUrlState();
  const reasonLabel = useEndReasonLabel();
  const ending: TableColumnsType<AdminCallResponse> = [
    {
      title: t('calls.duration'),
      dataIndex: 'duration',
      align: 'right',
      render: (_, { accepted_at, ended_at, duration }) =>
        format.duration(accepted_at === null || ended_at === null ? null : duration),
    },
    {
      title: t('calls.reason'),
      dataIndex: 'end_reason',
      render: (_, { end_reason }) => reasonLabel(end_reason),
    },
  ];
  const answered: TableColumnsType<AdminCallResponse> = [
    {
      title: t('calls.answered'),
      dataIndex: 'accepted_at',
      render: (_, { accepted_at }) => format.dateTime(accepted_at),
    },
  ];
  return [
    {
      title: t('calls.id'),
      dataIndex: 'call_id',
      render: (_, { call_id }) => (
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
      dataIndex: 'status',
      render: (_, { status }) => <CallState status={status} />,
    },
    {
      title: t('calls.kind'),
      dataIndex: 'media_type',
      render: (_, { media_type }) => t(`calls.media.${media_type}`),
    },
    { title: t('calls.caller'), dataIndex: 'caller', render: (_, { caller }) => party(caller) },
    { title: t('calls.callee'), dataIndex: 'callee', render: (_, { callee }) => party(callee) },
    {
      title: t('calls.placed'),
      dataIndex: 'created_at',
      render: (_, { created_at }) => format.dateTime(created_at),
    },
    ...(isLive ? answered : ending),
  ];
}
