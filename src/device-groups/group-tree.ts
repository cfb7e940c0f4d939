import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { success } from '../common/http/envelope.interceptor';
import type { Words } from '../common/words/words';
import { batch } from '../common/concurrency/batch';
import { findRows } from '../database/rows';
import { CachedResponse } from '../common/http/cached-response';
import { allGroups, type GroupFields } from './device-groups.queries';
import type { DeviceGroupNodeResponse } from './dto/device-group.dto';
import { DeviceGroupTreeEntity, THE_TREE } from './entities/device-group-tree.entity';

/**
 * The whole tree, ready to send (specification 4.7). It is built once for each version of the tree; after that an
 * answer costs the look-up of the version. That is always asked of the database, for another instance may have
 * changed the tree a moment ago.
 */
@Injectable()
export class GroupTree {
  readonly #versions = batch(async (ids) => {
    const rows = await findRows(this.trees.manager, DeviceGroupTreeEntity, { id: ids });
    return new Map(rows.map(({ id, version }) => [id, version]));
  }, 0);
  /** In each language that was asked for. */
  readonly #built = new Map<Words, { version: number; document: Promise<CachedResponse> }>();

  constructor(
    @InjectRepository(DeviceGroupTreeEntity) private readonly trees: Repository<DeviceGroupTreeEntity>,
  ) {}

  /** Every change raises it. Requests of one moment ask together. */
  version(): Promise<number> {
    return this.#versions.load(THE_TREE);
  }

  /** The document of the tree as it is now, or newer. */
  async current(words: Words): Promise<CachedResponse> {
    const version = await this.version();
    const known = this.#built.get(words);
    if (known?.version === version) return known.document;
    // Read after the version, the groups are at least as new as it says; requests of the same version share them.
    const built = { version, document: this.#build(words) };
    this.#built.set(words, built);
    built.document.catch(() => {
      if (this.#built.get(words) === built) this.#built.delete(words);
    });
    return built.document;
  }

  async #build(words: Words): Promise<CachedResponse> {
    return new CachedResponse(JSON.stringify(success(nested(await allGroups(this.trees.manager)), words)));
  }
}

/**
 * The root nodes of groups that come flat and in order; every list of children keeps that order. The groups themselves
 * become the nodes. Takes no recursion, and a group whose parent is missing is left out.
 */
export function nested(groups: GroupFields[]): DeviceGroupNodeResponse[] {
  const nodes = new Map(
    groups.map((group) => [group.id, Object.assign(group, { children: [] as DeviceGroupNodeResponse[] })]),
  );
  const roots: DeviceGroupNodeResponse[] = [];
  for (const node of nodes.values()) {
    const siblings = node.parent_id === null ? roots : nodes.get(node.parent_id)?.children;
    siblings?.push(node);
  }
  return roots;
}
