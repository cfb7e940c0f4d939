import { Drawer, Flex, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { toCallboardError } from '../../../shared/session';
import { useUrlState } from '../../../shared/url-state';
import { ErrorAlert } from '../../parts/error-alert';
import { DeliveryDrawer } from '../deliveries/delivery-drawer';
import { Deliveries } from '../deliveries/deliveries';
import { useWebhook } from '../webhooks-query';
import { WebhookActions } from './webhook-actions';
import { WebhookFacts } from './webhook-facts';

const NOT_FOUND = 404;
const CLOSED = { webhook: null, edit: null, delivery: null, delivered: null, event_type: null };

/** Everything about one endpoint (`?webhook=7`). */
export function WebhookDrawer() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const id = url.number('webhook') ?? 0;
  const { data, error, refetch } = useWebhook(id);
  const isGone = error !== null && toCallboardError(error).code === NOT_FOUND;
  const webhook = isGone ? undefined : data;
  const close = (): void => url.set(CLOSED);
  return (
    <Drawer open={id > 0} size={820} title={t('webhooks.one')} onClose={close}>
      <Flex vertical gap="middle">
        <ErrorAlert
          error={error}
          advice={isGone ? t('webhooks.goneHint') : undefined}
          onRetry={isGone ? undefined : () => void refetch()}
        />
        {webhook === undefined && error === null && <Skeleton active />}
        {webhook !== undefined && (
          <Flex key={webhook.id} vertical gap="middle">
            <WebhookFacts webhook={webhook} />
            <WebhookActions webhook={webhook} onDeleted={close} />
            <Deliveries webhook={webhook} />
          </Flex>
        )}
      </Flex>
      <DeliveryDrawer webhookId={id} />
    </Drawer>
  );
}
