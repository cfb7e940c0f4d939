import { Injectable } from '@nestjs/common';
import { recordAudit } from '../../audit/recording/record-audit';
import { foldCase } from '../../common/fold-case';
import { sentFields } from '../../common/input/sent-fields';
import { GroupsPage } from '../../common/http/page';
import type { IdempotencyRecord } from '../../database/idempotency/idempotency-record';
import { Transactions } from '../../database/transactions';
import {
  filteredPage,
  groupDetail,
  orderedIds,
  pageInOrder,
  uncountedGroup,
  type VersionedPage,
} from '../store/device-groups.store';
import type {
  ChangeDeviceGroupRequest,
  CreateDeviceGroupRequest,
  ListDeviceGroupsQuery,
} from '../dto/device-group-requests.dto';
import type {
  CreatedDeviceGroupResponse,
  DeviceGroupResponse,
  DeviceGroupDetailResponse,
} from '../dto/device-group.dto';
import type { DeviceGroupEntity } from '../entities/device-group.entity';
import { GroupCounts } from './group-counts';
import { GroupVersions } from './group-versions';
import { ENABLED } from '../limits';
import { addDevices, lockGroup } from '../store/memberships.store';
import type { BranchCount } from '../rules/branch-counts.rules';
import {
  beginTreeChange,
  deleteGroup,
  existing,
  groupById,
  insertGroup,
  lockTree,
  moveGroup,
  updateGroup,
} from '../store/tree-changes.store';

/**
 * Ids of all groups in list order, for one version of the tree. With it, every page costs the same. The version read
 * with a page shows whether the order is still valid.
 */
interface CachedOrder {
  version: number;
  ids: Promise<number[]>;
}

/** Finds, creates, changes, moves and deletes groups (API 11.2). */
@Injectable()
export class DeviceGroupsService {
  #order?: CachedOrder;

  constructor(
    private readonly transactions: Transactions,
    private readonly versions: GroupVersions,
    private readonly counts: GroupCounts,
  ) {}

  /** Returns one page, ordered by `sort_order`, then `id`; an unknown `parent_id` matches nothing. */
  async list(query: ListDeviceGroupsQuery): Promise<GroupsPage<DeviceGroupResponse>> {
    const found = isFiltered(query)
      ? await filteredPage(this.transactions.read(), query)
      : await this.#unfilteredPage(query);
    const { page, versions } = found ?? (await this.#pageWithTreeLocked(query));
    const counts = versions && (await this.counts.at(versions));
    const items = page.items.map((group) => ({ ...group, ...countsOf(counts?.get(group.id)) }));
    return new GroupsPage(items, page.totalCount, query);
  }

  /** Returns undefined when the tree was changed while the page was read. */
  async #unfilteredPage(query: ListDeviceGroupsQuery): Promise<VersionedPage | undefined> {
    const page = this.#order && (await this.#pageOf(this.#order, query));
    return page ?? this.#pageOf(await this.#readOrder(), query);
  }

  /** Returns undefined when the tree no longer has the version of this order. */
  async #pageOf(order: CachedOrder, query: ListDeviceGroupsQuery): Promise<VersionedPage | undefined> {
    const found = await pageInOrder(this.transactions.read(), await order.ids, query);
    const version = found.versions?.tree ?? (await this.versions.tree());
    return version === order.version ? found : undefined;
  }

  /** Reads a page while changes to the tree wait, after one has invalidated the page read without a lock. */
  #pageWithTreeLocked(query: ListDeviceGroupsQuery): Promise<VersionedPage> {
    return this.transactions.run(async (em) => {
      await lockTree(em);
      const page = await filteredPage(em, query);
      if (page === undefined)
        throw new Error('The device group tree has changed while its version was locked');
      return page;
    });
  }

  /** Requests for the same version share the order. */
  async #readOrder(): Promise<CachedOrder> {
    const version = await this.versions.tree();
    if (this.#order?.version === version) return this.#order;
    // Read after the version, the order is at least as new.
    const order = { version, ids: orderedIds(this.transactions.read()) };
    this.#order = order;
    order.ids.catch(() => {
      if (this.#order === order) this.#order = undefined;
    });
    return order;
  }

  /** @throws {BusinessError} DEVICE_GROUP_NOT_FOUND */
  async find(id: number): Promise<DeviceGroupDetailResponse> {
    const { group, versions } = existing(await uncountedGroup(this.transactions.read(), id));
    const counts = await this.counts.at(versions);
    return { ...group, ...countsOf(counts.get(id)) };
  }

  /**
   * Creates a group with the given devices, all or nothing; once per idempotency key.
   * @throws {BusinessError} VALIDATION for an unknown parent, an eleventh level, unknown devices (in this order);
   *   REQUEST_ID_REUSED; DEVICE_GROUP_NOT_FOUND: the group created with the key was deleted
   */
  create(
    body: CreateDeviceGroupRequest,
    idempotency?: IdempotencyRecord,
  ): Promise<CreatedDeviceGroupResponse> {
    const { device_ids = [], ...group } = body;
    return this.transactions.runIdempotent(idempotency, body, {
      create: (run) =>
        run(async (em) => {
          await beginTreeChange(em);
          const id = await insertGroup(em, group);
          await addDevices(em, id, device_ids);
          const { name, description = '', parent_id = null, sort_order } = group;
          const after = { name, description, parent_id, sort_order, status: ENABLED, device_ids };
          recordAudit(em, { object_id: id, before: null, after });
          return { id };
        }),
      replay: async (id) => {
        await groupById(this.transactions.read(), id);
        return { id };
      },
    });
  }

  /**
   * Changes only the sent fields; a different `parent_id` moves the group with its subtree.
   * @throws {BusinessError} DEVICE_GROUP_NOT_FOUND; VALIDATION for an unknown parent, a cycle, an eleventh level
   */
  change(id: number, { parent_id, ...fields }: ChangeDeviceGroupRequest): Promise<DeviceGroupDetailResponse> {
    const { name, description, sort_order, status } = fields;
    const columns = sentFields({
      name,
      name_search: name && foldCase(name),
      description,
      sort_order,
      status,
    });
    return this.transactions.run(async (em) => {
      await beginTreeChange(em);
      const group = await groupById(em, id);
      if (Object.keys(columns).length > 0) await updateGroup(em, id, columns);
      if (parent_id !== undefined && parent_id !== group.parent_id) await moveGroup(em, group, parent_id);
      const before = auditedFields(group);
      const after = auditedFields(Object.assign(group, columns, sentFields({ parent_id })));
      recordAudit(em, { object_id: id, before, after });
      return existing(await groupDetail(em, id));
    });
  }

  /** @throws {BusinessError} DEVICE_GROUP_NOT_FOUND, DEVICE_GROUP_HAS_SUBGROUPS, else DEVICE_GROUP_HAS_DEVICES */
  async remove(id: number): Promise<void> {
    await this.transactions.run(async (em) => {
      await beginTreeChange(em);
      await lockGroup(em, id);
      const group = await groupById(em, id);
      await deleteGroup(em, id);
      recordAudit(em, { object_id: id, before: auditedFields(group), after: null });
    });
  }
}

/** Fields of a group in the audit log. */
const auditedFields = ({ name, description, parent_id, sort_order, status }: DeviceGroupEntity) => ({
  name,
  description,
  parent_id,
  sort_order,
  status,
});

const isFiltered = ({ keyword, status, parent_id }: ListDeviceGroupsQuery): boolean =>
  (keyword ?? status ?? parent_id) !== undefined;

/** Returns the counts of a group; 0 for a group without an entry, which has no devices. */
const countsOf = ({ device_count = 0, total_device_count = 0 }: Partial<BranchCount> = {}) => ({
  device_count,
  total_device_count,
});
