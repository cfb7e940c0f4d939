import { Injectable } from '@nestjs/common';
import { queryBatcher } from '../../common/concurrency/query-batcher';
import { Transactions } from '../../database/transactions';
import { THE_MEMBERSHIPS, THE_TREE } from '../entities/device-group-tree.entity';
import { type Versions, versionsByIds } from '../store/device-groups.store';

/**
 * Versions of the group tree and of the memberships, which every change raises. Caches read them from the database for
 * each request, because another instance may have made a change. Requests of one event-loop turn share a query.
 */
@Injectable()
export class GroupVersions {
  readonly #versions = queryBatcher((ids) => versionsByIds(this.transactions.read(), ids), 0);

  constructor(private readonly transactions: Transactions) {}

  tree(): Promise<number> {
    return this.#versions.load(THE_TREE);
  }

  async current(): Promise<Versions> {
    const [tree, memberships] = await Promise.all([this.tree(), this.#versions.load(THE_MEMBERSHIPS)]);
    return { tree, memberships };
  }
}
