import type { AdminCallDetailResponse } from '@callboard/client';
import { Table, Typography } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format';
import { Status } from '../../parts/status';
import { PartyName } from './party-name';
import { TABLE_COMPONENTS } from '../../parts/tables/scrolled-table';

/** Terminals report connection quality as free text; these values have a known meaning. */
const QUALITIES = [
  { kind: 'success', words: /^(excellent|good)$/i },
  { kind: 'warning', words: /^(fair|medium|weak|poor)$/i },
  { kind: 'error', words: /^(bad|lost|down)$/i },
] as const;

/** The last reported state and connection quality of each terminal. */
export function CallTerminals({ call }: { call: AdminCallDetailResponse }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  if (call.terminals.length === 0)
    return <Typography.Text type="secondary">{t('calls.noTerminals')}</Typography.Text>;
  return (
    <Table
      size="small"
      rowKey={({ user_id, terminal_id }) => `${user_id} ${terminal_id}`}
      dataSource={call.terminals}
      pagination={false}
      components={TABLE_COMPONENTS}
      scroll={{ x: 'max-content' }}
      columns={[
        {
          title: t('calls.user'),
          dataIndex: 'user_id',
          render: (_, { user_id }) => <PartyName call={call} userId={user_id} />,
        },
        {
          title: t('calls.terminal'),
          dataIndex: 'terminal_id',
          render: (_, { terminal_id }) => terminal_id || t('calls.nameless'),
        },
        {
          title: t('calls.stage'),
          dataIndex: 'stage',
          render: (_, { stage }) => stage ?? t('calls.notSaid'),
        },
        {
          title: t('calls.quality'),
          dataIndex: 'network_quality',
          render: (_, { network_quality: quality }) => (
            <Status
              kind={QUALITIES.find(({ words }) => words.test(quality ?? ''))?.kind ?? 'default'}
              label={quality ?? t('calls.notSaid')}
            />
          ),
        },
        {
          title: t('calls.reported'),
          dataIndex: 'reported_at',
          render: (_, { reported_at }) => format.dateTime(reported_at),
        },
      ]}
    />
  );
}
