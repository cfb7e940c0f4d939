import { useQuery } from '@tanstack/react-query';
import { Button, Drawer, Flex, Skeleton, Typography } from 'antd';
import { useTranslation } from 'react-i18next';
import type { WebhookDeliveryDetailResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useFormat } from '../../format';
import { useUrlState } from '../../../shared/url-state';
import { ErrorAlert } from '../../parts/error-alert';
import { useToastMutation } from '../../parts/use-toast-mutation';
import { WEBHOOK_QUERIES } from '../webhooks-query';
import { DeliveryState, useResponseLabel } from '../webhook-states';

const REFETCH_MS = 3_000;

/** One delivery (`?delivery=7`): payload, attempts and responses. */
export function DeliveryDrawer({ webhookId }: { webhookId: number }) {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const id = url.number('delivery') ?? 0;
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks', 'delivery', webhookId, id],
    queryFn: ({ signal }) =>
      callboard.webhooks.getDelivery({ path: { id: webhookId, deliveryId: id }, signal }),
    enabled: webhookId > 0 && id > 0,
    refetchInterval: REFETCH_MS,
  });
  return (
    <Drawer
      open={webhookId > 0 && id > 0}
      size={640}
      title={t('webhooks.delivery.title')}
      onClose={() => url.set({ delivery: null })}
    >
      <Flex vertical gap="middle">
        <ErrorAlert error={error} onRetry={() => void refetch()} />
        {data === undefined && error === null && <Skeleton active />}
        {data !== undefined && <Delivery webhookId={webhookId} delivery={data} />}
      </Flex>
    </Drawer>
  );
}

interface Props {
  webhookId: number;
  delivery: WebhookDeliveryDetailResponse;
}

function Delivery({ webhookId, delivery }: Props) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const answer = useResponseLabel();
  const redelivering = useToastMutation(
    () => callboard.webhooks.redeliver({ path: { id: webhookId, deliveryId: delivery.id } }),
    { done: t('webhooks.delivery.queued'), changes: WEBHOOK_QUERIES },
  );
  return (
    <>
      <dl className="webhook-facts">
        <dt>{t('webhooks.deliveries.event')}</dt>
        <dd>{delivery.event_type}</dd>
        <dt>webhook-id</dt>
        <dd>{delivery.event_id}</dd>
        <dt>{t('webhooks.deliveries.status')}</dt>
        <dd>
          <DeliveryState status={delivery.status} />
        </dd>
        <dt>{t('webhooks.deliveries.attempts')}</dt>
        <dd>{format.number(delivery.attempts)}</dd>
        <dt>{t('webhooks.created')}</dt>
        <dd>{format.dateTime(delivery.created_at)}</dd>
        <dt>{t('webhooks.delivery.next')}</dt>
        <dd>{format.dateTime(delivery.next_attempt_at)}</dd>
        <dt>{t('webhooks.delivery.finished')}</dt>
        <dd>{format.dateTime(delivery.finished_at)}</dd>
      </dl>
      <Button loading={redelivering.isPending} onClick={() => void redelivering.run()}>
        {t('webhooks.delivery.again')}
      </Button>
      <section aria-labelledby="delivery-answer">
        <Typography.Title level={2} id="delivery-answer" className="webhook-heading">
          {t('webhooks.delivery.answer')}
        </Typography.Title>
        <p>
          {answer(delivery)}
          {delivery.ms !== null && ` · ${format.number(delivery.ms)} ms`}
        </p>
        {delivery.response !== null && delivery.response !== '' && (
          <pre className="webhook-text">{delivery.response}</pre>
        )}
      </section>
      <section aria-labelledby="delivery-request">
        <Typography.Title level={2} id="delivery-request" className="webhook-heading">
          {t('webhooks.delivery.request')}
        </Typography.Title>
        <pre className="webhook-text">{JSON.stringify(delivery.payload, null, 2)}</pre>
      </section>
    </>
  );
}
