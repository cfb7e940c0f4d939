import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { plusSeconds } from '../../common/clock';
import { CONFIG, type Config } from '../../config/config';
import { isPushConfigured } from '../../config/push-config';
import { Transactions } from '../../database/transactions';
import type { RecordedEventType } from '../../outbox/domain-event-types';
import { OutboxConsumer } from '../../outbox/outbox-consumer';
import type { OutboxEvent } from '../../outbox/outbox-event';
import { OutboxDispatcher } from '../../outbox/outbox-dispatcher';
import { laneOf } from '../rules/push-lanes.rules';
import { planOf, type PushPlan } from '../rules/push-plan.rules';
import { insertFanouts, largeGroupsAmong, mergeFanouts, SEVERAL_SENDERS } from '../store/push-audience.store';
import {
  insertShown,
  raiseCalls,
  raiseNotifications,
  raiseRecalled,
  raiseSeen,
  voipRings,
} from '../store/push-job.store';
import { ensurePosition, removePosition, subscription } from '../store/push-position.store';
import { PushDispatcher } from './push-dispatcher';
import { OVER_SECONDS, PushWishes } from './push-wishes';

const TYPES: readonly RecordedEventType[] = [
  'call.created',
  'call.answered',
  'call.ended',
  'message.created',
  'message.recalled',
  'conversation.read',
  'notification.added',
  'notification.seen',
  'notification.sent',
];
/** Lanes of the calls of an iPhone. */
const VOIP_LANE = laneOf({ kind: 'apns_voip', responsive: true }, true);
const ALERT_LANE = laneOf({ kind: 'apns', responsive: true }, true);

/**
 * Queues the pushes that follow from domain events, in the transaction that moves its position in their log, so each
 * event is handled once (API 18.2). Registers only if a provider is configured, and subscribes to nothing while no
 * terminal is registered, so that sends and calls then cost no statement more.
 */
@Injectable()
export class PushRouting extends OutboxConsumer implements OnModuleInit {
  readonly name = 'push';

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly outbox: OutboxDispatcher,
    private readonly transactions: Transactions,
    private readonly dispatcher: PushDispatcher,
    private readonly wishes: PushWishes,
  ) {
    super();
  }

  /** Events must not wait for a consumer that does not run, so its position exists only while push is configured. */
  async onModuleInit(): Promise<void> {
    if (isPushConfigured(this.config.push)) this.outbox.register(this);
    else await this.transactions.run((em) => removePosition(em)).catch(() => undefined);
  }

  async subscribedTypes(): Promise<ReadonlySet<RecordedEventType>> {
    const { hasPosition, hasTargets } = await subscription(this.transactions.read());
    // An instance without a provider may have removed it.
    if (!hasPosition) await this.transactions.run((em) => ensurePosition(em));
    return new Set(hasTargets ? TYPES : []);
  }

  async dispatch(events: readonly OutboxEvent[], em: EntityManager): Promise<void> {
    const { messageTtlSeconds } = this.config.push;
    const now = this.wishes.now();
    const plan = planOf(events, plusSeconds(now, -messageTtlSeconds));
    await this.wishes.ring(em, plan.rings);
    if (plan.endedCalls.length > 0) await this.#endCalls(em, plan.endedCalls);
    await this.wishes.notify(em, plan.notifications);
    await this.#routeMessages(em, plan);
    await raiseSeen(em, [...plan.seen.values()], now);
    for (const userId of plan.seenNotifications) await raiseNotifications(em, userId, now);
    if (plan.recalled.length > 0) await raiseRecalled(em, plan.recalled, now);
    await insertFanouts(
      em,
      plan.broadcasts.map(({ eventId, at }) => ({
        event_id: eventId,
        type: 'broadcast',
        object_id: null,
        sender_id: null,
        created_at: at,
      })),
    );
  }

  onCommitted(): void {
    this.dispatcher.wake();
  }

  /** Rings become ends where they may have arrived. A VoIP push is ended by the alert target of its terminal. */
  async #endCalls(em: EntityManager, topics: readonly string[]): Promise<void> {
    const now = this.wishes.now();
    if ((await raiseCalls(em, topics, now)) === 0) return;
    const rings = await voipRings(em, topics, VOIP_LANE);
    await insertShown(
      em,
      rings.map(({ topic, userId, alertTargetId }) => ({
        target_id: alertTargetId,
        topic,
        user_id: userId,
        type: 'call',
        lane: ALERT_LANE,
        due_at: now,
        caused_at: now,
        expires_at: plusSeconds(now, OVER_SECONDS),
      })),
    );
  }

  /** Members of large groups are many: their pushes are queued in batches. */
  async #routeMessages(em: EntityManager, { messages }: PushPlan): Promise<void> {
    if (messages.size === 0) return;
    const largeIds = await largeGroupsAmong(em, [...messages.keys()]);
    const { large = [], small } = Object.groupBy(messages, ([id]) => (largeIds.has(id) ? 'large' : 'small'));
    await this.wishes.messageMembers(em, new Map(small));
    const fanouts = large.map(([conversationId, { senderIds, eventId, at }]) => ({
      event_id: eventId,
      type: 'message' as const,
      object_id: conversationId,
      sender_id: senderIds.size === 1 ? ([...senderIds][0] ?? SEVERAL_SENDERS) : SEVERAL_SENDERS,
      created_at: at,
    }));
    await insertFanouts(em, await mergeFanouts(em, fanouts));
  }
}
