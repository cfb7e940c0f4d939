import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Clock, plusSeconds } from '../../common/clock';
import { repeatWhile } from '../../common/jobs/periodic-job';
import { Metrics } from '../../common/metrics';
import { Transactions } from '../../database/transactions';
import { EXPIRY_MS, GRACE_MS } from '../rules/presence-state.rules';
import {
  removeDeadInstance,
  deleteClosed,
  deregisterInstance,
  type OwnStreams,
  renewInstance,
  ROWS_AT_ONCE,
  staleInstances,
  writeStreams,
} from './instance-streams.store';

/**
 * Writes the rows of instances and their event streams, each operation in its own transaction, and counts them. A
 * retried transaction reads the clock again, because other instances poll for recent changes.
 */
@Injectable()
export class InstanceRegistry {
  readonly #written: Counter<'kind'>;

  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.#written = metrics.counter(
      'callboard_presence_rows_total',
      'Presence rows written by this instance, by kind',
      ['kind'],
    );
  }

  /** Renews the row of an instance. Returns whether the row existed. */
  async renew(instanceId: string): Promise<boolean> {
    const existed = await this.transactions.run((em) => renewInstance(em, instanceId, this.clock.now()));
    this.#written.inc({ kind: 'renewed' });
    return existed;
  }

  /** Writes changed streams of users on an instance, with two statements regardless of their number. */
  async write(instanceId: string, streams: readonly OwnStreams[]): Promise<void> {
    await this.transactions.run((em) => writeStreams(em, instanceId, streams, this.clock.now()));
    const opened = streams.filter(({ until }) => until === null).length;
    this.#written.inc({ kind: 'opened' }, opened);
    this.#written.inc({ kind: 'closed' }, streams.length - opened);
  }

  /** Deregisters an instance that shuts down. Returns the users who had streams open on it. */
  async deregister(instanceId: string): Promise<number[]> {
    const users = await this.transactions.run((em) => deregisterInstance(em, instanceId, this.clock.now()));
    this.#written.inc({ kind: 'closed' }, users.length);
    return users;
  }

  /**
   * Removes dead instances, and deletes closed streams whose grace period is over. Returns the users of the dead
   * instances.
   */
  async sweep(ownId: string): Promise<number[]> {
    const now = this.clock.now();
    const since = plusSeconds(now, -EXPIRY_MS / 1_000);
    const users: number[] = [];
    for (const id of await staleInstances(this.transactions.read(), since)) {
      // The own instance is alive even if its row is stale.
      if (id === ownId) continue;
      const closed = await this.transactions.run((em) =>
        removeDeadInstance(em, id, { since, now: this.clock.now() }),
      );
      this.#written.inc({ kind: 'expired' }, closed.length);
      users.push(...closed);
    }
    const before = plusSeconds(now, -GRACE_MS / 1_000);
    const deleteBatch = () => this.transactions.run((em) => deleteClosed(em, before));
    await repeatWhile(async () => (await deleteBatch()) === ROWS_AT_ONCE);
    return users;
  }
}
