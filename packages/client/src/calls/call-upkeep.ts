import type { CallService } from './call-service.js';
import type { MediaTicket } from './media/media.js';
import { Timers } from './timers.js';

const REPORT_EVERY_MS = 20_000;
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

  /** Tells the service that the terminal is there. One that is lost is made up for by the next. */
  report(quality: () => string, { repeatedly }: { repeatedly: boolean }): void {
    this.#service.report(this.#callId, quality()).catch(() => undefined);
    if (repeatedly && !this.#isOver)
      this.#timers.set('report', REPORT_EVERY_MS, () => this.report(quality, { repeatedly }));
  }

  end(): void {
    this.#isOver = true;
    this.#timers.clear();
  }
}
