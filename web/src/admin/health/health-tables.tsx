import type { HealthItemResponse } from '@callboard/client';
import { Flex, Table, type TableColumnsType, Typography } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format';
import { ErrorAlert } from '../parts/error-alert';
import { Status } from '../parts/status';
import { HealthSummary } from './health-summary';
import { useHealth, useHealthName } from './use-health';
import { NoRows } from '../parts/tables/no-rows';
import { TABLE_COMPONENTS } from '../parts/tables/scrolled-table';

const DOTS = { up: 'success', down: 'error', off: 'default' } as const;

/** State and last error of each component and each job. */
export function HealthTables() {
  const { t } = useTranslation('panel');
  const health = useHealth();
  const columns = useColumns();
  return (
    <Flex vertical gap="middle">
      <ErrorAlert error={health.error} onRetry={() => void health.refetch()} />
      <HealthSummary />
      {(['parts', 'jobs'] as const).map((kind) => (
        <section key={kind} aria-labelledby={`health-${kind}`}>
          <h2 id={`health-${kind}`} className="health-title">
            {t(`health.${kind}`)}
          </h2>
          <Table
            size="middle"
            rowKey="name"
            columns={columns}
            dataSource={health[kind]}
            loading={health.isPending}
            pagination={false}
            components={TABLE_COMPONENTS}
            scroll={{ x: 'max-content' }}
            locale={{ emptyText: <NoRows isFailed={health.error !== null} /> }}
          />
        </section>
      ))}
      <Typography.Text type="secondary">{t('health.offHint')}</Typography.Text>
    </Flex>
  );
}

function useColumns(): TableColumnsType<HealthItemResponse> {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const nameOf = useHealthName();
  return [
    {
      title: t('health.name'),
      dataIndex: 'name',
      render: (_, { name }) => (
        <>
          {nameOf(name)}
          <br />
          <code className="health-code">{name}</code>
        </>
      ),
    },
    {
      title: t('health.state'),
      dataIndex: 'status',
      render: (_, { status }) => <Status kind={DOTS[status]} label={t(`health.states.${status}`)} />,
    },
    {
      title: t('health.lastSuccess'),
      dataIndex: 'last_success_at',
      render: (_, { last_success_at }) =>
        last_success_at === null ? t('health.never') : format.dateTime(last_success_at),
    },
    {
      title: t('health.lastError'),
      dataIndex: 'last_error',
      render: (_, { last_error, last_error_at }) =>
        last_error === null ? (
          '–'
        ) : (
          <div className="health-error">
            {format.dateTime(last_error_at)} · {last_error}
          </div>
        ),
    },
  ];
}
