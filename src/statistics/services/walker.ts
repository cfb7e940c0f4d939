import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock, plusSeconds } from '../../common/clock';
import { PeriodicJob, repeatWhile } from '../../common/concurrency/periodic-job';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import { AbandonedConversationsService } from '../../messaging/services/abandoned-conversations.service';
import type { RemovedMessage } from '../../messaging/store/abandoned-conversations';
import { CalendarDays } from '../rules/calendar-days';
import { MESSAGES_REMOVED } from '../rules/metrics';
import { addFigures } from '../store/daily-figures';
import { beginWalk, claimWalk, holdPosition, moveWalk, releaseWalk } from '../store/walks';
import { LEASE, MESSAGE_WALK, type Walk, WALKS } from './walks';

const INTERVAL_MS = 5_000;
/** So long an instance that does not renew its lease keeps the others from walking. */
const LEASE_SECONDS = 30;
const RENEWED_AFTER_SECONDS = 10;
/** What gets a lower position, and commits later, has committed by then: no transaction lasts so long. */
const BEHIND_SECONDS = 60;
/** Rows of one transaction, which holds nothing but the position. */
const PAGE = 1_000;

/** Where the end of a walk was, and when. */
interface Sighting {
  head: number;
  at: number;
}

/**
 * Counts messages and new users a minute after they were made: of all instances one walks along them, while it renews its
 * lease. The position is held and moved in the transaction that counts, so each is counted once, whoever else walks, is
 * killed or takes over (contract 14.2).
 */
@Injectable()
export class Walker implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(Walker.name);
  readonly #days: CalendarDays;
  readonly #claim = randomUUID();
  /** Until when it walks for certain, in milliseconds since 1970; undefined while another one does. */
  #leaseUntil?: number;
  /** The ends that this instance has seen since it walks, by walk, older first. */
  readonly #seen = new Map<string, Sighting[]>();
  readonly #job = new PeriodicJob(this, {
    name: 'statistics_walk',
    everyMs: INTERVAL_MS,
    run: (stopping) => this.walk(stopping),
    onFailure: 'Messages and users are counted later',
  });

  constructor(
    @Inject(CONFIG) { timezone }: Config,
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly abandoned: AbandonedConversationsService,
    private readonly clock: Clock,
  ) {
    this.#days = new CalendarDays(timezone);
  }

  onModuleInit(): void {
    this.abandoned.onRemoval((em, messages) => this.#noteRemoved(em, messages));
  }

  onApplicationBootstrap(): void {
    this.#job.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#job.stop();
    if (this.#leaseUntil === undefined) return;
    await this.transactions
      .run((em) => releaseWalk(em, LEASE, this.#claim))
      .catch((error: unknown) =>
        this.#log.warn(`Another instance counts when the lease ends: ${String(error)}`),
      );
  }

  /** Walks as far as everything was a minute ago, where no other instance does. */
  async walk(stopping?: AbortSignal): Promise<void> {
    for (const walk of WALKS) if (await this.#leads()) await this.#walkOn(walk, stopping);
  }

  /** Whether it is this instance that walks. */
  async #leads(): Promise<boolean> {
    const now = this.clock.now();
    const left = (this.#leaseUntil ?? 0) - now.getTime();
    if (left > (LEASE_SECONDS - RENEWED_AFTER_SECONDS) * 1_000 && left <= LEASE_SECONDS * 1_000) return true;
    const until = plusSeconds(now, LEASE_SECONDS);
    const isOurs = await this.transactions.run(async (em) => {
      if (this.#leaseUntil === undefined)
        for (const name of [LEASE, ...WALKS.map((walk) => walk.name)]) await beginWalk(em, name);
      return claimWalk(em, LEASE, { claim: this.#claim, now, until });
    });
    this.#leaseUntil = isOurs ? until.getTime() : undefined;
    if (!isOurs) this.#seen.clear();
    return isOurs;
  }

  async #walkOn(walk: Walk, stopping?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const sightings = this.#seen.get(walk.name) ?? [];
    this.#seen.set(walk.name, sightings);
    sightings.push({ head: await walk.head(this.dataSource.manager, now), at: now.getTime() });
    const before = now.getTime() - BEHIND_SECONDS * 1_000;
    const settled = sightings.findLast(({ at }) => at <= before);
    if (settled === undefined) return;
    const upTo = settled.head;
    await repeatWhile(async () => {
      const began = performance.now();
      if (!(await this.#countPage(walk, upTo))) return false;
      // A long way, as after an upgrade, takes half of the time: requests have the other one.
      await pause(performance.now() - began);
      return this.#leads();
    }, stopping);
    sightings.splice(0, sightings.indexOf(settled));
  }

  /** Counts a page; answers whether there may be another one. */
  #countPage(walk: Walk, upTo: number): Promise<boolean> {
    return this.transactions.run(async (em) => {
      const after = await holdPosition(em, walk.name);
      if (after >= upTo) return false;
      const { made, last } = await walk.page(em, { after, upTo }, PAGE);
      if (last === undefined) return false;
      await moveWalk(em, walk.name, { from: after, to: last });
      await addFigures(em, walk.figures(made, this.#days));
      return true;
    });
  }

  /** What leaves with an abandoned group stays counted; what has not been counted yet nobody will find any more. */
  async #noteRemoved(em: EntityManager, messages: readonly RemovedMessage[]): Promise<void> {
    const position = await holdPosition(em, MESSAGE_WALK.name);
    const sent = messages.filter(({ isNotice }) => !isNotice);
    const all = MESSAGE_WALK.figures(madeOf(sent), this.#days);
    const uncounted = sent.filter(({ id }) => id > position);
    await addFigures(em, [
      ...all.map((figure) => ({ ...figure, metric: MESSAGES_REMOVED })),
      ...MESSAGE_WALK.figures(madeOf(uncounted), this.#days),
    ]);
  }
}

const madeOf = (messages: readonly RemovedMessage[]) =>
  messages.map(({ sentAt }) => ({ at: sentAt.getTime(), count: 1 }));
