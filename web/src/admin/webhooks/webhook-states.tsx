import { useTranslation } from 'react-i18next';
import type { WebhookDeliveryResponse, WebhookResponse } from '@callboard/client';
import { Status } from '../parts/status';

type Shown = Pick<WebhookResponse, 'status' | 'disabled_reason' | 'last_failure_at' | 'last_success_at'>;

/** State of an endpoint: enabled and healthy, failing, or disabled with the reason. */
export function WebhookState({ status, disabled_reason, last_failure_at, last_success_at }: Shown) {
  const { t } = useTranslation('panel');
  if (status === 0)
    return disabled_reason === null ? (
      <Status kind="default" label={t('webhooks.states.off')} />
    ) : (
      <Status kind="error" label={t(`webhooks.states.${disabled_reason}`)} />
    );
  const isFailing = last_failure_at !== null && (last_success_at ?? '') < last_failure_at;
  return isFailing ? (
    <Status kind="warning" label={t('webhooks.states.onFailing')} />
  ) : (
    <Status kind="success" label={t('webhooks.states.on')} />
  );
}

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'held'] as const;

const KINDS = { pending: 'processing', succeeded: 'success', failed: 'error', held: 'default' } as const;

export function DeliveryState({ status }: Pick<WebhookDeliveryResponse, 'status'>) {
  const { t } = useTranslation('panel');
  return <Status kind={KINDS[status]} label={t(`webhooks.deliveries.${status}`)} />;
}

type DeliveryResponse = Pick<WebhookDeliveryResponse, 'status_code' | 'error'>;

const LABELS = [
  'timeout',
  'connect_timeout',
  'address_not_allowed',
  'no_answer',
  'ECONNREFUSED',
  'ENOTFOUND',
  'ECONNRESET',
] as const;

/**
 * Returns a function that describes the receiver's response to an attempt, or why there was none (docs/webhooks.md,
 * "Troubleshooting").
 */
export function useResponseLabel(): (answer: DeliveryResponse) => string {
  const { t } = useTranslation('panel');
  return ({ status_code, error }) => {
    if (status_code !== null) return t('webhooks.answered', { status: status_code });
    if (error === null) return '–';
    const known = LABELS.find((word) => word === error);
    return known === undefined ? error : t(`webhooks.errors.${known}`);
  };
}
