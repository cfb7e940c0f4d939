import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { Health, type HealthReport, OFF } from '../../common/health/health';
import { RunRecord } from '../../common/health/run-record';
import { CONFIG, type Config } from '../../config/config';
import { isPushConfigured } from '../../config/push-config';
import { Transactions } from '../../database/transactions';
import type { PushKind } from '../entities/push-target.entity';
import { configuredKinds } from '../rules/push-kinds.rules';
import type { PushOutcome } from '../rules/push-message.rules';
import { readPushBacklog } from '../store/push-figures.store';

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
 * instance have failed.
 */
@Injectable()
export class PushHealth {
  readonly #kinds = new Map<PushKind, AttemptRecord>();

  constructor(health: Health, transactions: Transactions, clock: Clock, @Inject(CONFIG) { push }: Config) {
    const kinds = configuredKinds(push);
    health.register('push', async () => {
      if (!isPushConfigured(push)) return OFF;
      const now = clock.now();
      const { dueToResponsive, overdueMs } = await readPushBacklog(transactions.read(), kinds, now);
      const report = { ...OFF, lastSuccessAt: this.#lastSuccessAt() };
      if (overdueMs <= OVERDUE_MS) return { ...report, status: 'up' };
      return { ...report, status: 'down', lastErrorAt: now, lastError: `${dueToResponsive} pushes are due` };
    });
    for (const kind of kinds) {
      const attempts = new AttemptRecord(() => clock.now(), kind);
      this.#kinds.set(kind, attempts);
      health.register(`push_${kind}`, async () => attempts.report);
    }
  }

  /** Records the outcome of an attempt. */
  record(kind: PushKind, outcome: PushOutcome): void {
    this.#kinds.get(kind)?.add(outcome);
  }

  #lastSuccessAt(): Date | null {
    const times = Array.from(this.#kinds.values(), ({ report }) => report.lastSuccessAt?.getTime() ?? 0);
    const newest = Math.max(...times);
    return newest > 0 ? new Date(newest) : null;
  }
}
