import type { HealthItemResponse } from '@callboard/client';
import { Flex, Typography } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format';
import { ErrorAlert } from '../parts/error-alert';
import { Status } from '../parts/status';
import { HealthSummary } from './health-summary';
import { PushQueue } from './push-queue';
import { useHealth, useHealthName } from './use-health';
import { DataTable } from '../parts/tables/data-table';
import type { ListColumn } from '../parts/tables/list-column';

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
          <DataTable
            rowKey="name"
            columns={columns}
            rows={health[kind]}
            isLoading={health.isPending}
            isFailed={health.error !== null}
          />
        </section>
      ))}
      <PushQueue />
      <Typography.Text type="secondary">{t('health.offHint')}</Typography.Text>
    </Flex>
  );
}

function useColumns(): ListColumn<HealthItemResponse>[] {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const nameOf = useHealthName();
  return [
    {
      title: t('health.name'),
      key: 'name',
      render: ({ name }) => (
        <>
          {nameOf(name)}
          <br />
          <code className="health-code">{name}</code>
        </>
      ),
    },
    {
      title: t('health.state'),
      key: 'status',
      render: ({ status }) => <Status kind={DOTS[status]} label={t(`health.states.${status}`)} />,
    },
    {
      title: t('health.lastSuccess'),
      key: 'last_success_at',
      render: ({ last_success_at }) =>
        last_success_at === null ? t('health.never') : format.dateTime(last_success_at),
    },
    {
      title: t('health.lastError'),
      key: 'last_error',
      render: ({ last_error, last_error_at }) =>
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
