import type { PushTargetResponse } from '@callboard/client';
import { useQuery } from '@tanstack/react-query';
import { Empty, Flex, Skeleton, Typography } from 'antd';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../../shared/callboard';
import { useFormat } from '../../../format';
import { ErrorAlert } from '../../../parts/error-alert';
import { useUserName } from '../../../parts/people/user-name';
import { Status } from '../../../parts/status';
import { DeleteTarget } from './delete-target';
import { TestPush } from './test-push';
import '../../../parts/people/session-list.css';

/** The terminals of a user that receive pushes, with a test push and the removal of each. */
export function UserPush({ userId }: { userId: number }) {
  const { t } = useTranslation('panel');
  const name = useUserName(userId);
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ['push-targets', userId],
    queryFn: ({ signal }) => callboard.push.listUserTargets({ path: { id: userId }, signal }),
    refetchInterval: 30_000,
  });
  if (isPending) return <Skeleton active title={false} />;
  if (data === undefined) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data.items.length === 0)
    return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('push.none')} />;
  return (
    <Flex vertical gap="small">
      <ErrorAlert error={error} onRetry={() => void refetch()} />
      <ul className="session-list" aria-label={t('push.of', { name })}>
        {data.items.map((target) => (
          <TargetItem key={target.id} target={target} />
        ))}
      </ul>
    </Flex>
  );
}

function TargetItem({ target }: { target: PushTargetResponse }) {
  const { t } = useTranslation('panel');
  const { kind, state } = target;
  return (
    <li>
      <Flex vertical gap="small">
        <Flex gap="small" wrap>
          <Typography.Text strong>{t(`push.kinds.${kind}`)}</Typography.Text>
          <Status kind={state === 'active' ? 'success' : 'error'} label={t(`push.states.${state}`)} />
        </Flex>
        <Facts target={target} />
        <Flex gap="small" wrap>
          {/* By VoIP only calls are sent. */}
          {kind !== 'apns_voip' && <TestPush target={target} />}
          <DeleteTarget target={target} />
        </Flex>
      </Flex>
    </li>
  );
}

function Facts({ target }: { target: PushTargetResponse }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const { received, received_at: receivedAt } = target;
  const facts = [
    [t('push.terminal'), target.terminal_id],
    [t('push.app'), target.app],
    [t('push.provider'), target.provider],
    [t('push.created'), format.dateTime(target.created_at)],
    [t('push.seen'), format.dateTime(target.seen_at)],
    [
      t('push.received'),
      receivedAt === null
        ? String(received)
        : t('push.receivedAt', { count: received, time: format.dateTime(receivedAt) }),
    ],
    [t('push.reason'), target.reason],
  ] as const;
  return (
    <dl className="session-facts">
      {facts.flatMap(([label, value]) =>
        value === null ? (
          []
        ) : (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
