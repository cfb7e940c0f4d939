import { Injectable } from '@nestjs/common';
import { success } from '../../common/http/envelope.interceptor';
import type { MessageCatalogue } from '../../common/i18n/catalogue';
import { Transactions } from '../../database/transactions';
import { CachedResponse } from '../../common/http/cached-response';
import { allGroups, type GroupFields } from '../store/device-groups.store';
import type { DeviceGroupNodeResponse } from '../dto/device-group.dto';
import { GroupVersions } from './group-versions';

/**
 * Response with the whole group tree (API 11.2), cached per version of the tree. Every request reads the
 * version from the database, because another instance may have changed the tree.
 */
@Injectable()
export class GroupTree {
  /** The latest document per requested language. */
  readonly #documents = new Map<MessageCatalogue, { version: number; document: Promise<CachedResponse> }>();

  constructor(
    private readonly transactions: Transactions,
    private readonly versions: GroupVersions,
  ) {}

  /** Returns the document of the current tree, or of a newer one. */
  async current(catalogue: MessageCatalogue): Promise<CachedResponse> {
    const version = await this.versions.tree();
    const cached = this.#documents.get(catalogue);
    if (cached?.version === version) return cached.document;
    // Read after the version, the groups are at least as new. Requests for the same version share the document.
    const built = { version, document: this.#build(catalogue) };
    this.#documents.set(catalogue, built);
    built.document.catch(() => {
      if (this.#documents.get(catalogue) === built) this.#documents.delete(catalogue);
    });
    return built.document;
  }

  async #build(catalogue: MessageCatalogue): Promise<CachedResponse> {
    return new CachedResponse(
      JSON.stringify(success(nested(await allGroups(this.transactions.read())), catalogue)),
    );
  }
}

/**
 * Builds the tree from an ordered flat list and returns its roots. Every list of children keeps the order. Modifies the
 * given objects, which become the nodes; not recursive. Leaves out groups whose parent is missing.
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
