import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock, plusSeconds } from '../../common/clock';
import { CONFIG, type Config } from '../../config/config';
import type { PushJobType } from '../entities/push-job.entity';
import type { PushKind } from '../entities/push-target.entity';
import { configuredKinds } from '../rules/push-kinds.rules';
import { laneOf } from '../rules/push-lanes.rules';
import {
  callTopic,
  conversationTopic,
  notificationTopic,
  type PlannedMessages,
  type PlannedNotification,
  type PlannedRing,
} from '../rules/push-plan.rules';
import {
  type Addressee,
  addresseesOf,
  memberAddressees,
  usersWithStreams,
} from '../store/push-audience.store';
import { wish, type WishedPush } from '../store/push-job.store';

/** Time after the end of a ring during which its end is pushed. */
export const OVER_SECONDS = 60;

/** Queues wishes for the targets of users. */
@Injectable()
export class PushWishes {
  readonly #configured: ReadonlySet<PushKind>;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
  ) {
    this.#configured = new Set(configuredKinds(config.push));
  }

  now(): Date {
    return this.clock.now();
  }

  /** Queues rings for all terminals of the callees: by VoIP instead of the alert where a terminal has both. */
  async ring(em: EntityManager, rings: readonly PlannedRing[]): Promise<void> {
    const now = this.now();
    const byUser = await this.#addresseesOf(
      em,
      rings.map(({ calleeId }) => calleeId),
    );
    await wish(
      em,
      rings.flatMap(({ callId, calleeId, expiresAt, at }) =>
        withoutRepeatedAlerts(byUser.get(calleeId) ?? []).map((target) => ({
          ...this.#wishFor(target, { topic: callTopic(callId), type: 'call', at }),
          due_at: now,
          expires_at: plusSeconds(expiresAt, OVER_SECONDS),
        })),
      ),
    );
  }

  /** Queues notifications for their owners. */
  async notify(em: EntityManager, notifications: readonly PlannedNotification[]): Promise<void> {
    const byUser = await this.#addresseesOf(em, [...new Set(notifications.map(({ userId }) => userId))]);
    await this.#wishLater(
      em,
      notifications.flatMap(({ userId, notificationId, at }) =>
        withoutVoip(byUser.get(userId) ?? []).map((target) =>
          this.#wishFor(target, { topic: notificationTopic(notificationId), type: 'notification', at }),
        ),
      ),
    );
  }

  /**
   * Queues messages for the members of their conversations except a single sender; not for large groups.
   * @param messages by the id of the conversation
   */
  async messageMembers(em: EntityManager, messages: ReadonlyMap<number, PlannedMessages>): Promise<void> {
    if (messages.size === 0) return;
    const targets = await memberAddressees(em, [...messages.keys()], this.now());
    await this.#wishLater(
      em,
      targets.filter(this.#isConfigured).flatMap((target) => {
        const planned = messages.get(target.conversation_id);
        const isOnlySender = planned?.senderIds.size === 1 && planned.senderIds.has(target.user_id);
        if (planned === undefined || isOnlySender) return [];
        const topic = conversationTopic(target.conversation_id);
        return [this.#wishFor(target, { topic, type: 'message', at: planned.at })];
      }),
    );
  }

  /** Queues a message of a conversation for users. */
  async messageUsers(
    em: EntityManager,
    userIds: readonly number[],
    { conversationId, at }: { conversationId: number; at: Date },
  ): Promise<void> {
    const byUser = await this.#addresseesOf(em, userIds);
    const topic = conversationTopic(conversationId);
    await this.#wishLater(
      em,
      withoutVoip([...byUser.values()].flat()).map((target) =>
        this.#wishFor(target, { topic, type: 'message', at }),
      ),
    );
  }

  readonly #isConfigured = ({ kind }: Addressee): boolean => this.#configured.has(kind);

  /** Returns the targets of users whose kinds are configured, by user. */
  async #addresseesOf(em: EntityManager, userIds: readonly number[]): Promise<Map<number, Addressee[]>> {
    const targets = await addresseesOf(em, userIds, this.now());
    return Map.groupBy(targets.filter(this.#isConfigured), ({ user_id }) => user_id);
  }

  /** Queues wishes, later for users with an open event stream. */
  async #wishLater(
    em: EntityManager,
    wishes: readonly Omit<WishedPush, 'due_at' | 'expires_at'>[],
  ): Promise<void> {
    const { activeDelaySeconds, messageTtlSeconds } = this.config.push;
    const now = this.now();
    const userIds = [...new Set(wishes.map(({ user_id }) => user_id))];
    const online = activeDelaySeconds === 0 ? new Set<number>() : await usersWithStreams(em, userIds, now);
    await wish(
      em,
      wishes.map((each) => ({
        ...each,
        due_at: online.has(each.user_id) ? plusSeconds(now, activeDelaySeconds) : now,
        expires_at: plusSeconds(now, messageTtlSeconds),
      })),
    );
  }

  #wishFor(
    target: Addressee,
    { topic, type, at }: { topic: string; type: PushJobType; at: Date },
  ): Omit<WishedPush, 'due_at' | 'expires_at'> {
    const { id, user_id } = target;
    return { target_id: id, topic, user_id, type, lane: laneOf(target, type === 'call'), caused_at: at };
  }
}

const withoutVoip = (targets: readonly Addressee[]): Addressee[] =>
  targets.filter(({ kind }) => kind !== 'apns_voip');

function withoutRepeatedAlerts(targets: readonly Addressee[]): Addressee[] {
  const withVoip = new Set(
    targets.filter(({ kind }) => kind === 'apns_voip').map(({ terminal_id }) => terminal_id),
  );
  return targets.filter(({ kind, terminal_id }) => kind !== 'apns' || !withVoip.has(terminal_id));
}
