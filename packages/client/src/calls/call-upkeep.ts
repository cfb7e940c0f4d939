import type { CallService } from './call-service.js';
import type { MediaTicket } from './media/media.js';
import { Timers } from './timers.js';

const REPORT_EVERY_MS = 20_000;
/** A report that failed is sent again after this time: the service ends a call after 60 s without one (contract 17). */
const REPORT_AGAIN_MS = 3_000;
/** A ticket is renewed this long before its end. */
const EARLY_MS = 60_000;
/** Longer is more than a timer can hold. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What keeps a call going: fresh tickets for the media, and reports that the terminal is there. */
export class CallUpkeep {
  readonly #service: CallService;
  readonly #callId: number;
  readonly #timers = new Timers();
  #isOver = false;

  constructor(service: CallService, callId: number) {
    this.#service = service;
    this.#callId = callId;
  }

  /** Renews the ticket before its end, again and again. */
  renewInTime(onRenewed: (ticket: MediaTicket) => Promise<void> | undefined): void {
    const expiresAt = this.#service.expiryOf(this.#callId);
    if (expiresAt === null || this.#isOver) return;
    const { clock } = this.#service;
    const wait = Math.min(Math.max(clock.until(expiresAt) - EARLY_MS, EARLY_MS / 2), LONGEST_TIMER_MS);
    this.#timers.set('renew', wait, () => {
      this.#service
        .renew(this.#callId)
        .then(onRenewed)
        // The provider says when it is out of patience.
        .catch(() => undefined)
        .finally(() => this.renewInTime(onRenewed));
    });
  }

  /** Tells the service that the terminal is in the call: every 20 s if `repeatedly`, sooner after a failure. */
  report(quality: () => string, { repeatedly }: { repeatedly: boolean }): void {
    const report = this.#service.report(this.#callId, quality());
    if (!repeatedly) {
      report.catch(() => undefined);
      return;
    }
    const reportAfter = (ms: number): void => {
      if (!this.#isOver) this.#timers.set('report', ms, () => this.report(quality, { repeatedly }));
    };
    reportAfter(REPORT_EVERY_MS);
    report.catch(() => reportAfter(REPORT_AGAIN_MS));
  }

  end(): void {
    this.#isOver = true;
    this.#timers.clear();
  }
}
