import { Button, Flex, Select, Typography } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearch } from 'wouter';
import type { WebhookDeliveryResponse, WebhookResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useFormat } from '../../format';
import { useUrlState } from '../../../shared/url-state';
import { CursorTable, useCursorList } from '../../parts/tables/cursor-table';
import { oneOf } from '../../parts/filters/one-of';
import { ErrorAlert } from '../../parts/error-alert';
import { DELIVERED_TYPES } from '../event-types';
import { DELIVERY_STATUSES, DeliveryState, useResponseLabel } from '../webhook-states';
import { Replay } from './replay';

const REFETCH_MS = 5_000;
const PAGE = 20;

/** Sent and pending deliveries of an endpoint, newest first. */
export function Deliveries({ webhook: { id } }: { webhook: WebhookResponse }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const answer = useResponseLabel();
  const url = useUrlState();
  const [isReplaying, setReplaying] = useState(false);
  const status = oneOf(DELIVERY_STATUSES, url.text('delivered'));
  const event_type = oneOf(DELIVERED_TYPES, url.text('event_type'));
  const list = useCursorList<WebhookDeliveryResponse>({
    queryKey: ['webhooks', 'deliveries', id, { status, event_type }],
    fetch: (cursor, signal) =>
      callboard.webhooks.listDeliveries({
        path: { id },
        query: { limit: PAGE, cursor, status, event_type },
        signal,
      }),
    refetchEvery: () => REFETCH_MS,
  });
  return (
    <section aria-labelledby="deliveries">
      <Flex vertical gap="small">
        <Flex justify="space-between" align="center" wrap gap="small">
          <Typography.Title level={2} id="deliveries" className="webhook-heading">
            {t('webhooks.deliveries.title')}
          </Typography.Title>
          <Button onClick={() => setReplaying(true)}>{t('webhooks.replay.open')}</Button>
        </Flex>
        <Flex gap="small" wrap>
          <Select<string | null>
            allowClear
            aria-label={t('webhooks.deliveries.status')}
            placeholder={t('webhooks.deliveries.status')}
            style={{ width: '10rem' }}
            value={status ?? null}
            options={DELIVERY_STATUSES.map((value) => ({
              value,
              label: t(`webhooks.deliveries.${value}`),
            }))}
            onChange={(next) => url.set({ delivered: next })}
          />
          <Select<string | null>
            allowClear
            aria-label={t('webhooks.deliveries.event')}
            placeholder={t('webhooks.deliveries.event')}
            style={{ width: '14rem' }}
            value={event_type ?? null}
            options={DELIVERED_TYPES.map((value) => ({ value, label: value }))}
            onChange={(next) => url.set({ event_type: next })}
          />
        </Flex>
        <ErrorAlert error={list.error} onRetry={list.refetch} />
        <CursorTable<WebhookDeliveryResponse>
          list={list}
          rowKey="id"
          isFiltered={status !== undefined || event_type !== undefined}
          view={{
            columns: [
              {
                key: 'event',
                title: t('webhooks.deliveries.event'),
                render: (delivery) => <DeliveryLink delivery={delivery} />,
              },
              {
                key: 'status',
                title: t('webhooks.deliveries.status'),
                render: (delivery) => <DeliveryState {...delivery} />,
              },
              {
                key: 'answer',
                title: t('webhooks.deliveries.answer'),
                render: (delivery) => answer(delivery),
              },
              {
                key: 'attempts',
                title: t('webhooks.deliveries.attempts'),
                render: ({ attempts }) => attempts,
              },
              {
                key: 'created_at',
                title: t('webhooks.created'),
                render: ({ created_at }) => format.dateTime(created_at),
              },
            ],
          }}
        />
      </Flex>
      {isReplaying && <Replay webhookId={id} onClose={() => setReplaying(false)} />}
    </section>
  );
}

/** Links to the drawer of a delivery. */
function DeliveryLink({ delivery: { id, event_type } }: { delivery: WebhookDeliveryResponse }) {
  const params = new URLSearchParams(useSearch());
  params.set('delivery', String(id));
  return <Link href={`/webhooks?${params.toString()}`}>{event_type}</Link>;
}
