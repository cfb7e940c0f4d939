import { Inject, Injectable } from '@nestjs/common';
import { Catalogues } from '../../common/i18n/catalogues';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import { UsersService } from '../../identity/users.service';
import { findForPush } from '../../notifications/store/pushable.store';
import type { PushDecision, PushSubject } from '../../preferences/rules/preferences.rules';
import { PreferencesService } from '../../preferences/services/preferences.service';
import type { PushJobEntity } from '../entities/push-job.entity';
import {
  type Composed,
  composeCall,
  composeMessage,
  composeNotification,
  DONE,
  leastContent,
  type PushContext,
  type PushPerson,
} from '../rules/compose-push.rules';
import { idOfTopic } from '../rules/push-plan.rules';
import type { ClaimedJob } from '../store/push-claim.store';
import type { PushedMessage } from '../rules/pushed-objects.rules';
import { readBadges } from '../store/push-badges.store';
import { pushedCalls, pushedMessages } from '../store/push-content.store';

const ALLOWED: PushDecision = { delivery: 'normal', preview: 'full' };
const UNKNOWN: PushPerson = { id: 0, name: '', avatar: null };

/** A claimed job, and the push that follows from the database now. */
export interface ComposedJob extends ClaimedJob {
  composed: Composed;
}

/** Composes pushes from the state of their objects, with a few queries for all of them (API 18.2). */
@Injectable()
export class PushComposer {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly preferences: PreferencesService,
    private readonly languages: Catalogues,
  ) {}

  /** Composes the pushes of claimed jobs, in their order. */
  async compose(claimed: readonly ClaimedJob[], now: Date): Promise<ComposedJob[]> {
    const allowed = claimed.filter(({ job, isAllowed }) => isAllowed && job.expires_at > now);
    const ofType = (type: PushJobEntity['type']): ClaimedJob[] =>
      allowed.filter(({ job }) => job.type === type);
    const [calls, messages, notifications] = await Promise.all([
      this.#composeCalls(ofType('call'), now),
      this.#composeMessages(ofType('message'), now),
      this.#composeNotifications(ofType('notification'), now),
    ]);
    const composed = new Map([...calls, ...messages, ...notifications]);
    return claimed.map((each) => ({ ...each, composed: composed.get(each.job.id) ?? DONE }));
  }

  async #composeCalls(jobs: ClaimedJob[], now: Date): Promise<[number, Composed][]> {
    if (jobs.length === 0) return [];
    const calls = await pushedCalls(this.transactions.read(), [
      ...new Set(jobs.map(({ job }) => idOfTopic(job.topic))),
    ]);
    const people = await this.#people([...calls.values()].map(({ caller_id }) => caller_id));
    const contexts = await this.#contextsOf(jobs, { kind: 'call' }, { now });
    return contexts.map((context) => {
      const call = calls.get(idOfTopic(context.job.topic));
      return [context.job.id, composeCall(context, call, people.get(call?.caller_id ?? 0) ?? UNKNOWN)];
    });
  }

  async #composeMessages(jobs: ClaimedJob[], now: Date): Promise<[number, Composed][]> {
    if (jobs.length === 0) return [];
    const members = new Map(
      jobs.map(({ job }) => [
        keyOf(job.user_id, idOfTopic(job.topic)),
        { user_id: job.user_id, conversation_id: idOfTopic(job.topic) },
      ]),
    );
    const found = await pushedMessages(this.transactions.read(), [...members.values()], now);
    const messages = new Map(found.map((row) => [keyOf(row.user_id, row.conversation_id), row]));
    const people = await this.#people(found.map(({ sender_id }) => sender_id));
    const badges = await readBadges(this.transactions.read(), userIdsOf(jobs), now);
    const contexts = await this.#contextsOf(jobs, { kind: 'message' }, { now, badges });
    return contexts.map((context) => {
      const { job } = context;
      const message = messages.get(keyOf(job.user_id, idOfTopic(job.topic)));
      const sender = people.get(message?.sender_id ?? 0) ?? UNKNOWN;
      const preview = message === undefined ? '' : this.#previewOf(message);
      return [job.id, composeMessage(context, message, { sender, preview })];
    });
  }

  async #composeNotifications(jobs: ClaimedJob[], now: Date): Promise<[number, Composed][]> {
    if (jobs.length === 0) return [];
    const ids = [...new Set(jobs.map(({ job }) => idOfTopic(job.topic)))];
    const notifications = await findForPush(this.transactions.read(), ids);
    const badges = await readBadges(this.transactions.read(), userIdsOf(jobs), now);
    const byType = Map.groupBy(jobs, ({ job }) => {
      const { type = '', critical = false } = notifications.get(idOfTopic(job.topic)) ?? {};
      return JSON.stringify({ type, critical });
    });
    const composed: [number, Composed][] = [];
    for (const [subject, ofType] of byType) {
      const { type, critical } = JSON.parse(subject) as { type: string; critical: boolean };
      const contexts = await this.#contextsOf(
        ofType,
        { kind: 'notification', type, critical },
        { now, badges },
      );
      for (const context of contexts) {
        const found = notifications.get(idOfTopic(context.job.topic));
        const isShown = found?.isUnread === true && !found.isArchived;
        composed.push([context.job.id, composeNotification(context, isShown ? found : undefined)]);
      }
    }
    return composed;
  }

  /** Returns the contexts of jobs about one subject, in their order. @param badges omitted: without badges */
  async #contextsOf(
    jobs: ClaimedJob[],
    subject: PushSubject,
    { now, badges }: { now: Date; badges?: Map<number, number> },
  ): Promise<PushContext[]> {
    const decisions = await this.preferences.decidePushes(userIdsOf(jobs), subject, now);
    const { push, attachments } = this.config;
    return jobs.map(({ job, target }) => {
      const { delivery, preview } = decisions.get(job.user_id) ?? ALLOWED;
      return {
        job,
        target,
        now,
        badge: badges?.get(job.user_id) ?? 0,
        delivery,
        content: leastContent(push.content, preview),
        texts: this.languages.catalogue.messages,
        publicUrl: attachments.publicUrl,
      };
    });
  }

  async #people(ids: readonly number[]): Promise<Map<number, PushPerson>> {
    const users = await this.users.findByIds([...new Set(ids)]);
    return new Map(
      Array.from(users, ([id, { name, avatar }]) => [
        id,
        {
          id,
          name: name === '' ? this.languages.catalogue.userWithoutName(id) : name,
          avatar: avatar ?? null,
        },
      ]),
    );
  }

  #previewOf({ type, content }: PushedMessage): string {
    return type === 'text' ? content : this.languages.catalogue.messages[type];
  }
}

const userIdsOf = (jobs: readonly ClaimedJob[]): number[] => [...new Set(jobs.map(({ job }) => job.user_id))];

const keyOf = (userId: number, conversationId: number): string => `${userId} ${conversationId}`;
