import { Alert, Flex } from 'antd';
import { useTranslation } from 'react-i18next';
import type { WebhookResponse } from '@callboard/client';
import { useFormat } from '../../format';
import { ALL_EVENTS } from '../event-types';
import { WebhookState } from '../webhook-states';

/** Properties of an endpoint, with advice if the service has disabled it. */
export function WebhookFacts({ webhook }: { webhook: WebhookResponse }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const { url, description, event_types, disabled_reason } = webhook;
  return (
    <Flex vertical gap="middle">
      {disabled_reason !== null && (
        <Alert
          type="error"
          showIcon
          title={t(`webhooks.states.${disabled_reason}`)}
          description={t('webhooks.switchedOff')}
        />
      )}
      <dl className="webhook-facts">
        <dt>{t('webhooks.url')}</dt>
        <dd>{url}</dd>
        <dt>{t('webhooks.description')}</dt>
        <dd>{description ?? '–'}</dd>
        <dt>{t('webhooks.state')}</dt>
        <dd>
          <WebhookState {...webhook} />
        </dd>
        <dt>{t('webhooks.events')}</dt>
        <dd>{event_types.includes(ALL_EVENTS) ? t('webhooks.allEvents') : event_types.join(', ')}</dd>
        <dt>{t('webhooks.contents')}</dt>
        <dd>{t(webhook.include_content ? 'webhooks.withContent' : 'webhooks.withoutContent')}</dd>
        <dt>{t('webhooks.pending')}</dt>
        <dd>{format.number(webhook.pending)}</dd>
        <dt>{t('webhooks.lastSuccess')}</dt>
        <dd>{format.dateTime(webhook.last_success_at)}</dd>
        <dt>{t('webhooks.lastFailure')}</dt>
        <dd>{format.dateTime(webhook.last_failure_at)}</dd>
        <dt>{t('webhooks.created')}</dt>
        <dd>{format.dateTime(webhook.created_at)}</dd>
      </dl>
    </Flex>
  );
}
