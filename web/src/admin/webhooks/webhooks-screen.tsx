import { PlusOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Flex } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { WebhookResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useFormat } from '../format';
import { useUrlState } from '../../shared/url-state';
import { ErrorAlert } from '../parts/error-alert';
import { ScreenHeader } from '../parts/screen-header';
import { FilterBar } from '../parts/filters/filter-bar';
import { DataTable } from '../parts/tables/data-table';
import type { ListColumn } from '../parts/tables/list-column';
import { useListView } from '../parts/tables/use-list-view';
import { CreateWebhook } from './endpoint/create-webhook';
import { WebhookDrawer } from './endpoint/webhook-drawer';
import { WebhookState } from './webhook-states';
import './webhooks.css';

const REFETCH_MS = 15_000;
/** One page contains all endpoints: the service allows fifty at most. */
const MAX_ENDPOINTS = 50;

/** The webhook endpoints of back ends. */
export function WebhooksScreen() {
  const { t } = useTranslation('panel');
  const view = useListView('webhooks', useWebhookColumns());
  const url = useUrlState();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['webhooks', 'list'],
    queryFn: ({ signal }) => callboard.webhooks.list({ query: { per_page: MAX_ENDPOINTS }, signal }),
    refetchInterval: REFETCH_MS,
    refetchOnWindowFocus: 'always',
  });
  return (
    <>
      <ScreenHeader title={t('screens.webhooks')}>
        <Button
          type="primary"
          icon={<PlusOutlined aria-hidden />}
          onClick={() => url.set({ new: true, webhook: null }, { push: true })}
        >
          {t('webhooks.create')}
        </Button>
      </ScreenHeader>
      <Flex vertical gap="small">
        <ErrorAlert error={error} onRetry={() => void refetch()} />
        <FilterBar names={[]} view={view} />
        <DataTable<WebhookResponse>
          {...view}
          rowKey="id"
          rows={data?.items ?? []}
          isLoading={isPending}
          isFailed={error !== null}
          emptyText={t('webhooks.none')}
        />
      </Flex>
      <CreateWebhook />
      <WebhookDrawer />
    </>
  );
}

function useWebhookColumns(): ListColumn<WebhookResponse>[] {
  const { t } = useTranslation('panel');
  const format = useFormat();
  return [
    {
      key: 'url',
      title: t('webhooks.url'),
      className: 'webhook-url',
      render: ({ id, url: address, description }) => (
        <>
          <Link href={`/webhooks?webhook=${id}`}>{address}</Link>
          {description !== null && <div className="webhook-description">{description}</div>}
        </>
      ),
    },
    { key: 'state', title: t('webhooks.state'), render: (webhook) => <WebhookState {...webhook} /> },
    {
      key: 'events',
      title: t('webhooks.events'),
      render: ({ event_types }) => <Events types={event_types} />,
    },
    { key: 'pending', title: t('webhooks.pending'), render: ({ pending }) => format.number(pending) },
    {
      key: 'last_success_at',
      title: t('webhooks.lastSuccess'),
      render: ({ last_success_at }) => format.dateTime(last_success_at),
    },
    {
      key: 'last_failure_at',
      title: t('webhooks.lastFailure'),
      render: ({ last_failure_at }) => format.dateTime(last_failure_at),
    },
  ];
}

function Events({ types }: { types: string[] }) {
  const { t } = useTranslation('panel');
  if (types.includes('*')) return t('webhooks.allEvents');
  return (
    <span title={types.join(', ')}>
      {t('webhooks.someEvents', { count: types.length, total: types.length })}
    </span>
  );
}
