import type { PushKindResponse } from '@callboard/client';
import { useQuery } from '@tanstack/react-query';
import { Flex, Typography } from 'antd';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import { ErrorAlert } from '../parts/error-alert';
import { FactsTable } from '../parts/facts-table';
import { Status } from '../parts/status';
import { DataTable } from '../parts/tables/data-table';
import type { ListColumn } from '../parts/tables/list-column';

const REFETCH_MS = 10_000;

/** The push queue, and the targets of each provider. */
export function PushQueue() {
  const { t } = useTranslation('panel');
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['push-queue'],
    queryFn: ({ signal }) => callboard.push.getHealth({ signal }),
    refetchInterval: REFETCH_MS,
  });
  const columns = useColumns();
  const isOff = data?.kinds.every(({ configured }) => !configured) === true;
  return (
    <section aria-labelledby="health-push">
      <h2 id="health-push" className="health-title">
        {t('push.queue.title')}
      </h2>
      <Flex vertical gap="small">
        <ErrorAlert error={error} onRetry={() => void refetch()} />
        {isOff && <Typography.Text type="secondary">{t('push.queue.off')}</Typography.Text>}
        {data !== undefined && !isOff && (
          <FactsTable
            facts={[
              { key: 'due', label: t('push.queue.due'), children: data.due },
              {
                key: 'oldest',
                label: t('push.queue.oldest'),
                children: t('push.queue.seconds', { count: data.oldest_seconds }),
              },
              { key: 'fanouts', label: t('push.queue.fanouts'), children: data.fanouts },
            ]}
          />
        )}
        {!isOff && (
          <DataTable
            rowKey="kind"
            columns={columns}
            rows={data?.kinds ?? []}
            isLoading={isPending}
            isFailed={error !== null}
          />
        )}
      </Flex>
    </section>
  );
}

function useColumns(): ListColumn<PushKindResponse>[] {
  const { t } = useTranslation('panel');
  return [
    { title: t('push.queue.kind'), key: 'kind', render: ({ kind }) => t(`push.kinds.${kind}`) },
    {
      title: t('push.queue.state'),
      key: 'configured',
      render: ({ configured }) => (
        <Status
          kind={configured ? 'success' : 'default'}
          label={t(configured ? 'push.queue.configured' : 'push.queue.notConfigured')}
        />
      ),
    },
    { title: t('push.queue.active'), key: 'active', render: ({ active }) => active },
    {
      title: t('push.queue.rejected'),
      key: 'rejected',
      render: ({ rejected }) =>
        rejected === 0 ? rejected : <Status kind="error" label={String(rejected)} />,
    },
    { title: t('push.queue.received'), key: 'received', render: ({ received }) => received },
  ];
}
