import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { Health, type HealthReport, OFF } from '../../common/health/health';
import { RunRecord } from '../../common/health/run-record';
import { CONFIG, type Config } from '../../config/config';
import { isPushConfigured } from '../../config/push-config';
import { Transactions } from '../../database/transactions';
import type { PushHealthResponse } from '../dto/push-responses.dto';
import { PUSH_KINDS, type PushKind } from '../entities/push-target.entity';
import { configuredKinds } from '../rules/push-kinds.rules';
import type { PushOutcome } from '../rules/push-message.rules';
import { readPushBacklog, readTargetCounts } from '../store/push-figures.store';

const OVERDUE_MS = 60_000;
/** Failed attempts in a row after which a provider counts as down. Single tokens are rejected in normal operation. */
const DOWN_AFTER_FAILURES = 5;

/** Attempts of this instance to send pushes of a kind. */
class AttemptRecord {
  readonly #record: RunRecord;
  #failures = 0;

  constructor(
    now: () => Date,
    private readonly kind: PushKind,
  ) {
    this.#record = new RunRecord(now);
  }

  /** A token that does not exist any more is not a failure of its provider. */
  add({ result, reason }: PushOutcome): void {
    if (result === 'accepted') {
      this.#failures = 0;
      this.#record.succeed();
    } else if (result !== 'removed') {
      this.#failures += 1;
      this.#record.fail(`${result}: ${reason}`);
    }
  }

  get report(): HealthReport {
    const { outcome } = this.#record;
    if (outcome.lastSuccessAt === null && outcome.lastErrorAt === null) return { ...outcome, status: 'off' };
    // Users choose the endpoints of Web Push: those that do not respond are no outage.
    const isDown = this.kind !== 'webpush' && this.#failures >= DOWN_AFTER_FAILURES;
    return { ...outcome, status: isDown ? 'down' : 'up' };
  }
}

/**
 * Reports the health of push to administrators (API 15.4): `push` is down if a due push to a responsive endpoint has
 * waited for more than a minute, and `push_<kind>` of each configured kind but Web Push if the last five attempts of this
 * instance have failed. Also describes the state of the queue and the targets.
 */
@Injectable()
export class PushHealth {
  readonly #kinds = new Map<PushKind, AttemptRecord>();
  readonly #configured: readonly PushKind[];

  constructor(
    health: Health,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    @Inject(CONFIG) { push }: Config,
  ) {
    this.#configured = configuredKinds(push);
    health.register('push', async () => {
      if (!isPushConfigured(push)) return OFF;
      const now = clock.now();
      const backlog = await readPushBacklog(transactions.read(), this.#configured, now);
      const report = { ...OFF, lastSuccessAt: this.#lastSuccessAt() };
      if (backlog.overdueMs <= OVERDUE_MS) return { ...report, status: 'up' };
      const lastError = `${backlog.dueToResponsive} pushes are due`;
      return { ...report, status: 'down', lastErrorAt: now, lastError };
    });
    for (const kind of this.#configured) {
      const attempts = new AttemptRecord(() => clock.now(), kind);
      this.#kinds.set(kind, attempts);
      health.register(`push_${kind}`, async () => attempts.report);
    }
  }

  /** Records the outcome of an attempt. */
  record(kind: PushKind, outcome: PushOutcome): void {
    this.#kinds.get(kind)?.add(outcome);
  }

  /** Returns the state of the queue and the number of targets by kind. */
  async describe(): Promise<PushHealthResponse> {
    const em = this.transactions.read();
    const { due, overdueMs, fanouts } = await readPushBacklog(em, this.#configured, this.clock.now());
    const counts = await readTargetCounts(em);
    return {
      due,
      oldest_seconds: Math.floor(overdueMs / 1000),
      fanouts,
      kinds: PUSH_KINDS.map((kind) => {
        const { active = 0, rejected = 0, received = 0 } = counts.get(kind) ?? {};
        return { kind, configured: this.#configured.includes(kind), active, rejected, received };
      }),
    };
  }

  #lastSuccessAt(): Date | null {
    const times = Array.from(this.#kinds.values(), ({ report }) => report.lastSuccessAt?.getTime() ?? 0);
    const newest = Math.max(...times);
    return newest > 0 ? new Date(newest) : null;
  }
}
