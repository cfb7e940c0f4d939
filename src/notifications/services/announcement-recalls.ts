import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock, plusSeconds } from '../../common/clock';
import { SingleFlight } from '../../common/concurrency/single-flight';
import { Periodic } from '../../common/jobs/periodic.decorator';
import { Transactions } from '../../database/transactions';
import { type Claim, claim, renew } from '../store/announcement-leases.store';
import { closeRecall, copiesOf, nextRecall } from '../store/announcement-recalls.store';
import { Inboxes } from './inboxes';

/** After a crash another instance continues a recall within this interval and the rest of the claim. */
const INTERVAL_MS = 5_000;
const LEASE_SECONDS = 15;
/** Copies removed per transaction; it is small because the transaction locks their inboxes. */
const BATCH_SIZE = 100;
const FAILURE = 'Failed to remove recalled announcements from inboxes; retrying on the next run';

/**
 * Removes recalled announcements from inboxes, in short transactions. After the recall is committed no inbox can
 * materialise the announcement, and all its copies are committed. One pass over the copies is therefore enough, and
 * after a crash another instance continues with the remaining ones.
 */
@Injectable()
export class AnnouncementRecalls implements OnModuleDestroy {
  readonly #log = new Logger(AnnouncementRecalls.name);
  #isStopping = false;
  readonly #flight = new SingleFlight(
    () => this.#processAll(),
    (error) => this.#log.warn(`${FAILURE}: ${String(error)}`),
  );

  constructor(
    private readonly transactions: Transactions,
    private readonly inboxes: Inboxes,
    private readonly clock: Clock,
  ) {}

  async onModuleDestroy(): Promise<void> {
    this.#isStopping = true;
    await this.#flight.stop();
  }

  /** Starts processing a new recall immediately. */
  wake(): void {
    this.#flight.run();
  }

  /** Continues recalls that other instances have left behind. */
  @Periodic({
    name: 'announcement_recalls',
    everyMs: INTERVAL_MS,
    oncePerInstance: true,
    onFailure: FAILURE,
  })
  async sweep(): Promise<void> {
    this.#flight.runIfIdle();
  }

  async #processAll(): Promise<void> {
    while (!this.#isStopping) {
      const claimed = await this.#claimNext();
      if (claimed === undefined) return;
      await this.#removeCopies(claimed);
    }
  }

  async #claimNext(): Promise<Claim | undefined> {
    const now = this.clock.now();
    const id = await nextRecall(this.transactions.read(), now);
    if (id === undefined) return undefined;
    const claimed: Claim = { work: 'announcement_recalls', id, until: plusSeconds(now, LEASE_SECONDS) };
    const isClaimed = await this.transactions.run((em) => claim(em, claimed, now));
    return isClaimed ? claimed : undefined;
  }

  async #removeCopies(first: Claim): Promise<void> {
    let claimed = first;
    const renewUntil = async (until: Date): Promise<boolean> => {
      const isRenewed = await this.transactions.run((em) => renew(em, claimed, until));
      if (isRenewed) claimed = { ...claimed, until };
      return isRenewed;
    };
    try {
      for (let after = 0; ;) {
        const copies = await copiesOf(this.transactions.read(), claimed.id, after, BATCH_SIZE);
        const last = copies.at(-1);
        if (last === undefined) break;
        await this.inboxes.removeRecalled(copies);
        after = last.id;
        // A stopping instance ends its claim, so that another one continues. If the renewal fails, another one has.
        const until = plusSeconds(this.clock.now(), this.#isStopping ? 0 : LEASE_SECONDS);
        if (!(await renewUntil(until)) || this.#isStopping) return;
      }
      const done = claimed;
      await this.transactions.run((em) => closeRecall(em, done, this.clock.now()));
    } catch (error) {
      // End the claim, so that the next run continues. If this fails too, the claim expires.
      await renewUntil(this.clock.now()).catch(() => undefined);
      throw error;
    }
  }
}
