import type { CallService } from './call-service.js';
import type { MediaTicket } from './media/media.js';
import { Timers } from './timers.js';

const REPORT_INTERVAL_MS = 20_000;
/** Delay before a failed report is repeated: the service ends a call after 60 s without a report (API 6.7). */
const REPORT_RETRY_MS = 3_000;
/** A ticket is renewed this long before it expires. */
const RENEW_EARLY_MS = 60_000;
/** Maximum delay of `setTimeout`: a longer one fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Periodic tasks of a call: renews the media ticket, and reports to the service that the terminal is in the call. */
export class CallUpkeep {
  readonly #service: CallService;
  readonly #callId: number;
  readonly #timers = new Timers();
  #isOver = false;

  constructor(service: CallService, callId: number) {
    this.#service = service;
    this.#callId = callId;
  }

  /** Renews the ticket each time before it expires, but not more often than every 30 s. */
  renewInTime(onRenewed: (ticket: MediaTicket) => Promise<void> | undefined): void {
    const expiresAt = this.#service.expiryOf(this.#callId);
    if (expiresAt === null || this.#isOver) return;
    const { clock } = this.#service;
    const wait = Math.min(
      Math.max(clock.until(expiresAt) - RENEW_EARLY_MS, RENEW_EARLY_MS / 2),
      MAX_TIMER_MS,
    );
    this.#timers.set('renew', wait, () => {
      this.#service
        .renew(this.#callId)
        .then(onRenewed)
        // The next timer tries again. If the media break down meanwhile, the provider reports `lost`.
        .catch(() => undefined)
        .finally(() => this.renewInTime(onRenewed));
    });
  }

  /** Reports to the service that the terminal is in the call: every 20 s if `repeatedly`, and 3 s after a failure. */
  report(quality: () => string, { repeatedly }: { repeatedly: boolean }): void {
    const report = this.#service.report(this.#callId, quality());
    if (!repeatedly) {
      report.catch(() => undefined);
      return;
    }
    const reportAfter = (ms: number): void => {
      if (!this.#isOver) this.#timers.set('report', ms, () => this.report(quality, { repeatedly }));
    };
    reportAfter(REPORT_INTERVAL_MS);
    report.catch(() => reportAfter(REPORT_RETRY_MS));
  }

  end(): void {
    this.#isOver = true;
    this.#timers.clear();
  }
}
