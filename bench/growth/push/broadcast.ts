import { PushProviders } from '../../../test/support/push-providers';
import { eventually, ServiceProcess } from '../../../test/support/service-process';
import type { BenchPart } from '../bench-app';
import type { Row } from '../measure';
import { loadTargets, TARGETS } from './data';
import { isQueueDone, recordedPushes } from './queue';

const ADMINISTRATOR = 1;
/** The instance is killed after this share of the pushes. */
const KILL_AFTER = TARGETS / 2;
const POLL_INTERVAL_MS = 100;

/** A broadcast to all targets, during which the instance is killed and started again. */
export const pushBroadcast: BenchPart = {
  name: 'push-broadcast',
  async run({ dataSource, databaseUrl, ...bench }) {
    await loadTargets({ dataSource, databaseUrl, ...bench });
    const providers = await PushProviders.open();
    const accepted = countAccepted(providers);
    const service = await ServiceProcess.start(databaseUrl, providers.env);
    try {
      const startedAt = performance.now();
      const body = { broadcast: true, type: 'news', title: 'To all', content: 'Text' };
      await service.send(ADMINISTRATOR, 'POST', '/api/admin/notifications', body, 'admin');
      await eventually(
        async () => accepted.total(),
        (total) => total >= KILL_AFTER,
        { betweenMs: POLL_INTERVAL_MS },
      );
      const firstMs = performance.now() - startedAt;
      await service.kill();
      const inFlight = accepted.total() - (await recordedPushes(dataSource));
      const killedAt = performance.now();
      await service.startAgain();
      await eventually(
        async () => accepted.reached() === TARGETS && (await isQueueDone(dataSource)),
        (isDone) => isDone,
        { betweenMs: POLL_INTERVAL_MS },
      );
      const value = accepted.total() - accepted.reached();
      return [
        {
          what: `broadcast: pushes to ${KILL_AFTER.toLocaleString('en')} targets`,
          value: firstMs / 1_000,
          unit: 's',
        },
        {
          what: 'broadcast: the others, after a kill',
          value: (performance.now() - killedAt) / 1_000,
          unit: 's',
        },
        { what: 'broadcast: pushes accepted and not recorded at the kill', value: inFlight, unit: 'pushes' },
        {
          what: 'broadcast: repeated pushes',
          value,
          unit: 'pushes',
          target: `≤ ${inFlight}, same collapse id`,
          met: value <= inFlight && accepted.hasOneCollapseIdPerTarget(),
        },
      ] satisfies Row[];
    } finally {
      await service.kill();
      await providers.close();
    }
  },
};

/** Counts the pushes that FCM accepts, by token. */
function countAccepted(providers: PushProviders) {
  const collapseIds = new Map<string, string>();
  let total = 0;
  let hasOneCollapseIdPerTarget = true;
  providers.replies.fcm = ({ body }) => {
    const { token, android } = body.message as { token: string; android: { collapse_key: string } };
    total += 1;
    hasOneCollapseIdPerTarget &&= (collapseIds.get(token) ?? android.collapse_key) === android.collapse_key;
    collapseIds.set(token, android.collapse_key);
    providers.clear();
    return { status: 200, body: {} };
  };
  return {
    total: () => total,
    reached: () => collapseIds.size,
    hasOneCollapseIdPerTarget: () => hasOneCollapseIdPerTarget,
  };
}
