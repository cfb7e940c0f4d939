import { PlusOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Flex, Table } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { WebhookResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useFormat } from '../format';
import { useUrlState } from '../../shared/url-state';
import { ErrorAlert } from '../parts/error-alert';
import { ScreenHeader } from '../parts/screen-header';
import { NoRows } from '../parts/tables/no-rows';
import { TABLE_COMPONENTS } from '../parts/tables/scrolled-table';
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
  const format = useFormat();
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
        <Table<WebhookResponse>
          size="middle"
          components={TABLE_COMPONENTS}
          rowKey="id"
          pagination={false}
          loading={isPending}
          scroll={{ x: 'max-content' }}
          dataSource={data?.items ?? []}
          locale={{
            emptyText: <NoRows isFailed={error !== null} text={t('webhooks.none')} />,
          }}
          columns={[
            {
              title: t('webhooks.url'),
              className: 'webhook-url',
              render: (_, { id, url: address, description }) => (
                <>
                  <Link href={`/webhooks?webhook=${id}`}>{address}</Link>
                  {description !== null && <div className="webhook-description">{description}</div>}
                </>
              ),
            },
            { title: t('webhooks.state'), render: (_, webhook) => <WebhookState {...webhook} /> },
            { title: t('webhooks.events'), render: (_, { event_types }) => <Events types={event_types} /> },
            { title: t('webhooks.pending'), render: (_, { pending }) => format.number(pending) },
            {
              title: t('webhooks.lastSuccess'),
              render: (_, { last_success_at }) => format.dateTime(last_success_at),
            },
            {
              title: t('webhooks.lastFailure'),
              render: (_, { last_failure_at }) => format.dateTime(last_failure_at),
            },
          ]}
        />
      </Flex>
      <CreateWebhook />
      <WebhookDrawer />
    </>
  );
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
