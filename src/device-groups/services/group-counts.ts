import { Injectable } from '@nestjs/common';
import { CachedResponse } from '../../common/http/cached-response';
import { success } from '../../common/http/envelope.interceptor';
import type { MessageCatalogue } from '../../common/i18n/catalogue';
import { Transactions } from '../../database/transactions';
import { readDeviceCounts, type Versions } from '../store/device-groups.store';
import { type BranchCount, branchCounts } from '../rules/branch-counts.rules';
import { GroupVersions } from './group-versions';

/** Device counts by group id; groups without devices have no entry. */
type Counts = ReadonlyMap<number, BranchCount>;

interface CachedCounts {
  versions: Versions;
  counts: Promise<Counts>;
  /** Responses by language, created on request. */
  documents: Map<MessageCatalogue, Promise<CachedResponse>>;
}

/**
 * Device counts of every group and of its subtree (API 11.5), cached per version of the tree and of the
 * memberships. Each use needs the current versions, which queries for groups return along with the groups.
 */
@Injectable()
export class GroupCounts {
  #cached?: CachedCounts;

  constructor(
    private readonly transactions: Transactions,
    private readonly versions: GroupVersions,
  ) {}

  /** Returns the counts as of these versions, or newer ones. */
  at(versions: Versions): Promise<Counts> {
    return this.#countedAt(versions).counts;
  }

  /** Returns the document of the current counts, or of newer ones. */
  async current(catalogue: MessageCatalogue): Promise<CachedResponse> {
    const counted = this.#countedAt(await this.versions.current());
    const cached = counted.documents.get(catalogue);
    if (cached !== undefined) return cached;
    const document = counted.counts.then(
      (counts) => new CachedResponse(JSON.stringify(success([...counts.values()], catalogue))),
    );
    counted.documents.set(catalogue, document);
    return document;
  }

  #countedAt(versions: Versions): CachedCounts {
    const cached = this.#cached;
    if (cached?.versions.tree === versions.tree && cached.versions.memberships === versions.memberships)
      return cached;
    // Read after the versions, the counts are at least as new. Requests for the same versions share them.
    const counted: CachedCounts = { versions, counts: this.#count(), documents: new Map() };
    this.#cached = counted;
    counted.counts.catch(() => {
      if (this.#cached === counted) this.#cached = undefined;
    });
    return counted;
  }

  async #count(): Promise<Counts> {
    const { direct, shared } = await readDeviceCounts(this.transactions.read());
    return new Map(branchCounts(direct, shared).map((count) => [count.id, count]));
  }
}
