import type { AdminCallDetailResponse } from '@callboard/client';
import { Typography } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format';
import { Status } from '../../parts/status';
import { PartyName } from './party-name';
import { DataTable } from '../../parts/tables/data-table';

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
    <DataTable
      density="small"
      rowKey="key"
      rows={call.terminals.map((terminal) => ({
        ...terminal,
        key: `${terminal.user_id} ${terminal.terminal_id}`,
      }))}
      columns={[
        {
          title: t('calls.user'),
          key: 'user_id',
          render: ({ user_id }) => <PartyName call={call} userId={user_id} />,
        },
        {
          title: t('calls.terminal'),
          key: 'terminal_id',
          render: ({ terminal_id }) => terminal_id || t('calls.nameless'),
        },
        {
          title: t('calls.stage'),
          key: 'stage',
          render: ({ stage }) => stage ?? t('calls.notSaid'),
        },
        {
          title: t('calls.quality'),
          key: 'network_quality',
          render: ({ network_quality: quality }) => (
            <Status
              kind={QUALITIES.find(({ words }) => words.test(quality ?? ''))?.kind ?? 'default'}
              label={quality ?? t('calls.notSaid')}
            />
          ),
        },
        {
          title: t('calls.reported'),
          key: 'reported_at',
          render: ({ reported_at }) => format.dateTime(reported_at),
        },
      ]}
    />
  );
}
