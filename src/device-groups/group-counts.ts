import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { batch } from '../common/concurrency/batch';
import { CachedResponse } from '../common/http/cached-response';
import { success } from '../common/http/envelope.interceptor';
import type { Words } from '../common/words/words';
import { findRows } from '../database/rows';
import { readDeviceCounts, type Versions } from './device-groups.queries';
import { DeviceGroupTreeEntity, THE_MEMBERSHIPS, THE_TREE } from './entities/device-group-tree.entity';
import { type BranchCount, branchCounts } from './rules/branch-counts';

/** The devices of the groups, by group; a group that is missing has none. */
type Counts = ReadonlyMap<number, BranchCount>;

interface Counted {
  versions: Versions;
  counts: Promise<Counts>;
  /** In each language that was asked for. */
  documents: Map<Words, Promise<CachedResponse>>;
}

/**
 * How many devices each group has, and each branch (contract 18.5). They are counted once for each version of the tree
 * and of what is in it; after that they cost the look-up of the versions, which answers that read groups bring along.
 */
@Injectable()
export class GroupCounts {
  readonly #versions = batch(async (ids) => {
    const rows = await findRows(this.trees.manager, DeviceGroupTreeEntity, { id: ids });
    return new Map(rows.map(({ id, version }) => [id, version]));
  }, 0);
  #known?: Counted;

  constructor(
    @InjectRepository(DeviceGroupTreeEntity) private readonly trees: Repository<DeviceGroupTreeEntity>,
  ) {}

  /** The counts as they were when these versions were read, or newer. */
  at(versions: Versions): Promise<Counts> {
    return this.#countedAt(versions).counts;
  }

  /** The document of all counts as they are now, or newer. */
  async current(words: Words): Promise<CachedResponse> {
    const [tree, memberships] = await Promise.all([
      this.#versions.load(THE_TREE),
      this.#versions.load(THE_MEMBERSHIPS),
    ]);
    const counted = this.#countedAt({ tree, memberships });
    const known = counted.documents.get(words);
    if (known !== undefined) return known;
    const document = counted.counts.then(
      (counts) => new CachedResponse(JSON.stringify(success([...counts.values()], words))),
    );
    counted.documents.set(words, document);
    return document;
  }

  #countedAt(versions: Versions): Counted {
    const known = this.#known;
    if (known?.versions.tree === versions.tree && known.versions.memberships === versions.memberships)
      return known;
    // Read after the versions, they are at least as new as these say; requests of the same versions share them.
    const counted: Counted = { versions, counts: this.#count(), documents: new Map() };
    this.#known = counted;
    counted.counts.catch(() => {
      if (this.#known === counted) this.#known = undefined;
    });
    return counted;
  }

  async #count(): Promise<Counts> {
    const { direct, shared } = await readDeviceCounts(this.trees.manager);
    return new Map(branchCounts(direct, shared).map((count) => [count.id, count]));
  }
}
