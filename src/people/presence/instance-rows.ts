import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Counter } from 'prom-client';
import { Clock, plusSeconds } from '../../common/clock';
import { repeatWhile } from '../../common/concurrency/periodic-job';
import { Metrics } from '../../common/metrics';
import { Transactions } from '../../database/transactions';
import { EXPIRY_MS, GRACE_MS } from '../rules/presence-state';
import {
  buryInstance,
  forgetClosed,
  leaveInstance,
  type OwnStreams,
  renewInstance,
  ROWS_AT_ONCE,
  silentInstances,
  writeStreams,
} from './instance-streams.queries';

/**
 * The rows that instances keep of the event streams on them, each act in a transaction of its own, and counted. A
 * transaction that runs again takes the time anew: others look for what has changed lately.
 */
@Injectable()
export class InstanceRows {
  readonly #written: Counter<'kind'>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.#written = metrics.counter(
      'callboard_presence_rows_total',
      'Rows of presence written by this instance, by what they say',
      ['kind'],
    );
  }

  /** Says that an instance is alive; answers whether it was known to be. */
  async renew(instanceId: string): Promise<boolean> {
    const wasKnown = await this.transactions.run((em) => renewInstance(em, instanceId, this.clock.now()));
    this.#written.inc({ kind: 'renewed' });
    return wasKnown;
  }

  /** Writes what has become of users' streams on an instance: two statements, however many they are. */
  async write(instanceId: string, streams: readonly OwnStreams[]): Promise<void> {
    await this.transactions.run((em) => writeStreams(em, instanceId, streams, this.clock.now()));
    const opened = streams.filter(({ until }) => until === null).length;
    this.#written.inc({ kind: 'opened' }, opened);
    this.#written.inc({ kind: 'closed' }, streams.length - opened);
  }

  /** An instance stops; answers the users who listened there. */
  async leave(instanceId: string): Promise<number[]> {
    const users = await this.transactions.run((em) => leaveInstance(em, instanceId, this.clock.now()));
    this.#written.inc({ kind: 'closed' }, users.length);
    return users;
  }

  /** Buries instances that are gone, and forgets streams of which all is told; answers the users of those instances. */
  async sweep(ownId: string): Promise<number[]> {
    const now = this.clock.now();
    const since = plusSeconds(now, -EXPIRY_MS / 1_000);
    const users: number[] = [];
    for (const id of await silentInstances(this.dataSource.manager, since)) {
      // This one is alive, whatever its row says.
      if (id === ownId) continue;
      const gone = await this.transactions.run((em) =>
        buryInstance(em, id, { since, now: this.clock.now() }),
      );
      this.#written.inc({ kind: 'expired' }, gone.length);
      users.push(...gone);
    }
    const before = plusSeconds(now, -GRACE_MS / 1_000);
    const forget = () => this.transactions.run((em) => forgetClosed(em, before));
    await repeatWhile(async () => (await forget()) === ROWS_AT_ONCE);
    return users;
  }
}
