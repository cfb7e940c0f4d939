import { randomUUID } from 'node:crypto';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { plusSeconds } from '../../common/clock';
import { EventLoopIdleRatio } from '../../common/concurrency/event-loop-idle-ratio';
import { SingleFlight } from '../../common/concurrency/single-flight';
import { PeriodicJob } from '../../common/jobs/periodic-job';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import type { PushJobEntity } from '../entities/push-job.entity';
import { configuredKinds } from '../rules/push-kinds.rules';
import { isCallLane, isUnresponsiveLane, lanesOf } from '../rules/push-lanes.rules';
import { pauseAfterPushes } from '../rules/push-schedule.rules';
import { claimJobs, type ClaimedJob, dueJobs, releaseJobs } from '../store/push-claim.store';
import { PushComposer, type ComposedJob } from './push-composer';
import { type HandledJob, PushResults } from './push-results';
import { PushSenders } from './push-senders';

const SWEEP_INTERVAL_MS = 1_000;
const LEASE_SECONDS = 30;
/** Maximum number of attempts in progress per lane and instance. */
const LANE_CONCURRENCY = 50;
/** Free slots at which a lane is polled again, so that a claim takes many pushes and not one. */
const MIN_FREE_SLOTS = LANE_CONCURRENCY / 2;
/** Maximum wait of a shutdown for running attempts. Aborted ones are repeated when their leases end. */
const STOP_WITHIN_MS = 5_000;

/**
 * Sends due pushes (API 18.2): immediately after events were routed on this instance, and in a sweep once a second;
 * those of messages and notifications at a pace that leaves time to requests.
 * Runs on every instance: a claim assigns each push to one of them, and those of a crashed instance are due again when
 * its leases end. Claiming, composing and recording take a few statements for up to fifty pushes per lane.
 */
@Injectable()
export class PushDispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(PushDispatcher.name);
  readonly #lanes: number[];
  readonly #inFlight = new Set<PushJobEntity>();
  /** Lanes in which more pushes may be due than the last poll had slots for. */
  readonly #fullLanes = new Set<number>();
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #polls = new SingleFlight(
    async () => void (await this.#claimAndStart()),
    (error) => this.#log.warn(`Failed to poll for due pushes, retrying on the next sweep: ${String(error)}`),
  );
  readonly #sweep = new PeriodicJob(this, {
    name: 'push_sweep',
    everyMs: SWEEP_INTERVAL_MS,
    run: async () => this.#polls.runIfIdle(),
    onFailure: 'Failed to poll for due pushes, retrying on the next sweep',
  });
  readonly #idleness = new EventLoopIdleRatio();
  /** `performance.now()` until which only rings are sent. */
  #pausedUntil = 0;
  #pauseEnd?: NodeJS.Timeout;
  #isStopping = false;

  constructor(
    @Inject(CONFIG) { push }: Config,
    private readonly transactions: Transactions,
    private readonly composer: PushComposer,
    private readonly senders: PushSenders,
    private readonly results: PushResults,
  ) {
    this.#lanes = lanesOf(configuredKinds(push));
  }

  onApplicationBootstrap(): void {
    if (this.#lanes.length > 0) this.#sweep.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#pauseEnd);
    await this.#sweep.stop();
    await this.#polls.stop();
    const timer = setTimeout(() => this.#stopping.abort(), STOP_WITHIN_MS);
    await Promise.all(this.#running);
    clearTimeout(timer);
    await this.results.flush();
  }

  /** Polls, because pushes may be due. */
  wake(): void {
    if (!this.#isStopping && this.#lanes.length > 0) this.#polls.run();
  }

  /** Sends all pushes that are due now, without pauses; resolves when no attempt is running and all results are recorded. */
  async sendAll(): Promise<void> {
    for (;;) {
      this.#pausedUntil = 0;
      const found = await this.#claimAndStart();
      await Promise.all(this.#running);
      await this.results.flush();
      if (!found) return;
    }
  }

  /** Returns whether anything was due. */
  async #claimAndStart(): Promise<boolean> {
    if (this.#isStopping) return false;
    const isPaused = this.#isPaused();
    if (isPaused) this.#pollAfterPause();
    const slots = new Map(
      this.#lanes.map((lane) => {
        const userIds = this.#inFlightIn(lane).map(({ user_id }) => user_id);
        return [lane, { free: isPaused && !isCallLane(lane) ? 0 : this.#freeSlots(lane), userIds }];
      }),
    );
    const now = this.results.now();
    const { due, fullLanes } = await dueJobs(this.transactions.read(), slots, now);
    this.#fullLanes.clear();
    for (const lane of fullLanes) this.#fullLanes.add(lane);
    if (due.length === 0) return false;
    const claiming = { claim: randomUUID(), now, until: plusSeconds(now, LEASE_SECONDS) };
    const claimed = await this.transactions.run((em) => claimJobs(em, due, claiming));
    if (claimed.length === 0) return false;
    this.#pause(claimed.filter(({ job }) => job.type !== 'call').length);
    const composed = await this.#compose(claimed, now);
    for (const each of composed) this.#start(each);
    // Jobs that had nothing to send took no slot, so no attempt ends for them.
    for (const lane of fullLanes) this.#pollAgain(lane);
    return true;
  }

  /** A failure releases the jobs instead of leaving them to the end of their lease. */
  async #compose(claimed: ClaimedJob[], now: Date): Promise<ComposedJob[]> {
    try {
      return await this.composer.compose(claimed, now);
    } catch (error) {
      await this.transactions
        .run((em) => releaseJobs(em, claimed, plusSeconds(now, 1)))
        .catch(() => undefined);
      throw error;
    }
  }

  #start(claimed: ComposedJob): void {
    const { job, target, composed } = claimed;
    if (composed.push === null) return this.results.add({ ...claimed, outcome: null, tookMs: 0 });
    this.#inFlight.add(job);
    const startedAt = this.results.now().getTime();
    const attempt = this.senders
      .send(target, composed.push, this.#stopping.signal)
      .then((outcome) => this.#end({ ...claimed, outcome, tookMs: this.results.now().getTime() - startedAt }))
      .finally(() => this.#running.delete(attempt));
    this.#running.add(attempt);
  }

  #end(handled: HandledJob): void {
    const { job } = handled;
    this.#inFlight.delete(job);
    // An attempt that the shutdown has aborted is repeated by another instance.
    if (!this.#stopping.signal.aborted) this.results.add(handled);
    // The user's next ring must not wait for the sweep.
    if (isCallLane(job.lane) && isUnresponsiveLane(job.lane)) this.#fullLanes.add(job.lane);
    this.#pollAgain(job.lane);
  }

  /** Polls if more pushes may be due in a lane and it has enough free slots: of calls one, since rings must not wait. */
  #pollAgain(lane: number): void {
    if (!isCallLane(lane) && this.#isPaused()) return this.#pollAfterPause();
    if (this.#fullLanes.has(lane) && this.#freeSlots(lane) >= (isCallLane(lane) ? 1 : MIN_FREE_SLOTS))
      this.wake();
  }

  #freeSlots(lane: number): number {
    return LANE_CONCURRENCY - this.#inFlightIn(lane).length;
  }

  #inFlightIn(lane: number): PushJobEntity[] {
    return [...this.#inFlight].filter((job) => job.lane === lane);
  }

  /** Starts a pause in which only rings are sent. @param pushes other ones that are sent now */
  #pause(pushes: number): void {
    if (pushes === 0) return;
    this.#pausedUntil = performance.now() + pauseAfterPushes(pushes, this.#idleness.sample());
  }

  #isPaused(): boolean {
    return performance.now() < this.#pausedUntil;
  }

  #pollAfterPause(): void {
    clearTimeout(this.#pauseEnd);
    if (this.#isStopping) return;
    this.#pauseEnd = setTimeout(() => this.wake(), Math.max(1, this.#pausedUntil - performance.now()));
  }
}
