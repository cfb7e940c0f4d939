import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import { inChunks } from '../../common/concurrency/chunks';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { repeatWhile } from '../../common/jobs/periodic-job';
import { CONFIG, type Config } from '../../config/config';
import { isPushConfigured } from '../../config/push-config';
import { Transactions } from '../../database/transactions';
import { Inboxes } from '../../notifications/services/inboxes';
import type { PushFanoutEntity } from '../entities/push-fanout.entity';
import { configuredKinds } from '../rules/push-kinds.rules';
import { advanceFanout, nextFanout, nextMembers, nextUsersWithTargets } from '../store/push-audience.store';
import { readPushBacklog } from '../store/push-figures.store';
import { PushWishes } from './push-wishes';

/** Users per transaction. */
const BATCH_SIZE = 500;
/** Inboxes per transaction; it is small because the transaction locks them. */
const INBOX_BATCH_SIZE = 50;
/**
 * The queue is filled up to about this size, so that its oldest pushes are not hours old. Pushes to unresponsive
 * endpoints do not count, because a few users can queue any number of them.
 */
const MAX_DUE = 10_000;

/**
 * Queues the pushes of large audiences in batches (API 18.2). The position of an audience and the pushes of a batch are
 * written in one transaction, so a killed instance loses and repeats nothing.
 */
@Injectable()
export class PushFanout {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly transactions: Transactions,
    private readonly inboxes: Inboxes,
    private readonly wishes: PushWishes,
    private readonly clock: Clock,
  ) {}

  /** Queues the next batches, until the queue is full or nothing is left. */
  @Periodic({
    name: 'push_fanout',
    everyMs: 1_000,
    onFailure: 'Failed to queue pushes of a large audience, retrying on the next run',
  })
  async advance(stopping?: AbortSignal): Promise<void> {
    if (!isPushConfigured(this.config.push)) return;
    // Messages and broadcasts take turns, so that neither waits for all of the other ones.
    let type: PushFanoutEntity['type'] = 'broadcast';
    await repeatWhile(async () => {
      const em = this.transactions.read();
      type = type === 'message' ? 'broadcast' : 'message';
      const fanout = await nextFanout(em, type);
      if (fanout === undefined) return false;
      const { dueToResponsive } = await readPushBacklog(
        em,
        configuredKinds(this.config.push),
        this.clock.now(),
      );
      if (dueToResponsive > MAX_DUE) return false;
      await (fanout.type === 'broadcast' ? this.#materialise(fanout) : this.#messageMembers(fanout));
      return true;
    }, stopping);
  }

  /**
   * Materialises a broadcast in the inboxes of the next users with targets; their pushes follow from the events of
   * these notifications. Repeating it changes nothing, so the position moves afterwards.
   */
  async #materialise(fanout: PushFanoutEntity): Promise<void> {
    const users = await nextUsersWithTargets(this.transactions.read(), fanout.after_id, BATCH_SIZE);
    for (const chunk of inChunks(users, INBOX_BATCH_SIZE)) await this.inboxes.materialiseBroadcasts(chunk);
    await this.transactions.run((em) => advanceFanout(em, fanout, users.at(-1)));
  }

  async #messageMembers(fanout: PushFanoutEntity): Promise<void> {
    const now = this.clock.now();
    const users = await nextMembers(this.transactions.read(), fanout, { now, limit: BATCH_SIZE });
    await this.transactions.run(async (em: EntityManager) => {
      if (!(await advanceFanout(em, fanout, users.at(-1))) || users.length === 0) return;
      await this.wishes.messageUsers(em, users, {
        conversationId: fanout.object_id ?? 0,
        at: fanout.created_at,
      });
    });
  }
}
