import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock';
import { BusinessError } from '../../../common/errors/business-error';
import { TIMINGS } from '../../../common/timings';
import { Transactions } from '../../../database/transactions';
import { changeLocked, requestLock, resumableUpload, takeLock } from '../../store/resumable-uploads.store';

/** Interval at which a waiting request tries to take the lock. */
const POLL_MS = 100;
/** A waiting request gives up so much after the lease of a killed process has ended. */
const SLACK_MS = 2_000;
const RETRY_AFTER_SECONDS = 5;
const TOKEN_BYTES = 16;

/** The lock of one upload, a lease that is renewed while it is held. */
export interface UploadLock {
  readonly token: string;
  /**
   * Checks that the lease has not ended, for example because the process was suspended. Must precede every write to the
   * draft: another request may be reading it.
   * @throws {BusinessError} UNAVAILABLE
   */
  assertHeld(): void;
  release(): Promise<void>;
}

/** Locks of resumable uploads in the database: at most one request of all instances writes to a draft. */
@Injectable()
export class UploadLocks {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes the lock of an upload. Asks the request that has it to release it, as clients return before the service
   * notices that their connection has broken, and waits until the lease of a killed process has ended.
   * @param onWanted called when another request waits for this lock, or when it was lost
   * @returns undefined if the upload does not exist
   * @throws {BusinessError} UNAVAILABLE: the other request did not end
   */
  async take(id: string, onWanted: () => void): Promise<UploadLock | undefined> {
    const token = randomBytes(TOKEN_BYTES).toString('hex');
    const giveUpAt = performance.now() + TIMINGS.uploadLeaseMs + SLACK_MS;
    for (;;) {
      const takenAt = performance.now();
      if (await this.transactions.run((em) => takeLock(em, id, token, this.#lease())))
        return this.#hold(id, token, takenAt, onWanted);
      if (!(await this.transactions.run((em) => requestLock(em, id)))) return undefined;
      if (performance.now() > giveUpAt)
        throw new BusinessError('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      await pause(POLL_MS);
    }
  }

  #lease(): { now: Date; until: Date } {
    const now = this.clock.now();
    return { now, until: new Date(now.getTime() + TIMINGS.uploadLeaseMs) };
  }

  #hold(id: string, token: string, takenAt: number, onWanted: () => void): UploadLock {
    const lock = { id, token };
    let heldUntil = takenAt + TIMINGS.uploadLeaseMs;
    const renew = async (): Promise<void> => {
      const startedAt = performance.now();
      const { until } = this.#lease();
      const isHeld = await this.transactions.run((em) => changeLocked(em, lock, { locked_until: until }));
      heldUntil = isHeld ? startedAt + TIMINGS.uploadLeaseMs : 0;
      const upload = await resumableUpload(this.transactions.read(), id);
      if (!isHeld || upload?.is_lock_wanted !== false) onWanted();
    };
    // A failed renewal is repeated a second later; without success the lease ends.
    const timer = setInterval(() => void renew().catch(() => undefined), TIMINGS.uploadRenewalMs);
    return {
      token,
      assertHeld: () => {
        if (performance.now() > heldUntil) throw new BusinessError('UNAVAILABLE');
      },
      release: async () => {
        clearInterval(timer);
        const released = { lock_token: null, locked_until: null, is_lock_wanted: false };
        await this.transactions.run((em) => changeLocked(em, lock, released));
      },
    };
  }
}
