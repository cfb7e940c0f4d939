import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { recordAudit } from '../../audit/recording/record-audit';
import { Clock } from '../../common/clock';
import { pagesById } from '../../common/export/row-export';
import { timeRangeOf } from '../../common/day-range';
import { BusinessError } from '../../common/errors/business-error';
import { foldCase } from '../../common/fold-case';
import { sentFields } from '../../common/input/sent-fields';
import { MATCHING_BATCH_SIZE } from '../../common/http/affected.dto';
import type { ItemsPage } from '../../common/http/page';
import { CONFIG, type Config } from '../../config/config';
import type { IdempotencyRecord } from '../../database/idempotency/idempotency-record';
import { Transactions } from '../../database/transactions';
import {
  assertSerialNumberFree,
  deleteDevices,
  deviceIdsAfter,
  devicesByIds,
  devicesPage,
  insertDevices,
  lockedDevices,
  requireDevices,
  setInDevices,
} from '../store/devices.store';
import type {
  ChangeDeviceRequest,
  CreateDeviceRequest,
  ListDevicesQuery,
  SearchDevicesQuery,
} from '../dto/device-requests.dto';
import { type DeviceResponse, toDeviceCsvRow, toDeviceResponse } from '../dto/device.dto';
import type { DeviceEntity } from '../entities/device.entity';
import { DeviceChanges } from '../events/device-changes';
import { countOnline } from '../presence/device-states.store';
import { bumpMembershipVersion, removeFromGroups } from '../store/memberships.store';
import { newDevice } from '../rules/new-device.rules';

/** Retries when another transaction takes the serial number or the user. The retry then throws the right error. */
const RETRY_ON_DUPLICATE_KEY = { retryOnDuplicateKey: true };

/** Devices, regardless of their groups (API 12.2). */
@Injectable()
export class DevicesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    private readonly changes: DeviceChanges,
  ) {}

  /** Returns one page, by id unless `sort` is given; an unknown `group_id` matches nothing. */
  list({ page, per_page, from, to, ...filter }: ListDevicesQuery): Promise<ItemsPage<DeviceResponse>> {
    const created = timeRangeOf({ from, to }, this.config.timezone);
    return devicesPage(this.transactions.read(), { ...filter, created }, { page, per_page });
  }

  /** Yields all devices that match the filter, by id, in pages. */
  export({ from, to, ...filter }: SearchDevicesQuery): AsyncGenerator<DeviceResponse[], void> {
    const created = timeRangeOf({ from, to }, this.config.timezone);
    const em = this.transactions.read();
    return pagesById(async (next) =>
      devicesByIds(em, await deviceIdsAfter(em, { ...filter, created }, next)),
    );
  }

  /** Yields all devices that match the filter as CSV rows, by id, in pages. */
  async *exportCsv(filter: SearchDevicesQuery): AsyncGenerator<object[], void> {
    for await (const page of this.export(filter)) yield page.map(toDeviceCsvRow);
  }

  /** @throws {BusinessError} DEVICE_NOT_FOUND */
  async find(id: number): Promise<DeviceResponse> {
    const [device] = await devicesByIds(this.transactions.read(), [id]);
    if (device === undefined) throw new BusinessError('DEVICE_NOT_FOUND');
    return device;
  }

  /**
   * Creates a device; once per idempotency key.
   * @throws {BusinessError} SERIAL_NO_TAKEN; VALIDATION `用户不存在: 7`; USER_HAS_DEVICE, REQUEST_ID_REUSED;
   *   DEVICE_NOT_FOUND: the device created with the key was deleted
   */
  create(body: CreateDeviceRequest, idempotency?: IdempotencyRecord): Promise<DeviceResponse> {
    const device = newDevice(body, this.clock.now());
    return this.transactions.runIdempotent(idempotency, body, {
      create: (run) =>
        run(async (em) => {
          await this.#requireFree(em, device);
          const [id = 0] = await insertDevices(em, [device]);
          recordAudit(em, { object_id: id, before: null, after: auditedFields(device) });
          await this.changes.record(em, 'device.created', [id]);
          return toDeviceResponse({ ...device, id }, []);
        }, RETRY_ON_DUPLICATE_KEY),
      replay: (id) => this.find(id),
    });
  }

  /**
   * Changes only the sent fields. A device whose user changes goes offline, because its online state was that of the
   * former user.
   * @throws {BusinessError} DEVICE_NOT_FOUND, SERIAL_NO_TAKEN; VALIDATION `用户不存在: 7`; USER_HAS_DEVICE
   */
  async change(
    id: number,
    { name, serial_no, status, user_id }: ChangeDeviceRequest,
  ): Promise<DeviceResponse> {
    const columns = sentFields({
      name,
      serial_no,
      status,
      user_id,
      name_search: name && foldCase(name),
      serial_no_search: serial_no && foldCase(serial_no),
    });
    if (Object.keys(columns).length > 0)
      await this.transactions.run((em) => this.#change(em, id, columns), RETRY_ON_DUPLICATE_KEY);
    return this.find(id);
  }

  /**
   * Deletes a device and removes it from its groups.
   * @throws {BusinessError} DEVICE_NOT_FOUND
   */
  async remove(id: number): Promise<void> {
    await this.transactions.run(async (em) => {
      // Locks the device first: a transaction that adds it to a group holds this lock until its commit.
      const [device] = await lockedDevices(em, [id]);
      if (device === undefined) throw new BusinessError('DEVICE_NOT_FOUND');
      recordAudit(em, { object_id: id, before: auditedFields(device), after: null });
      await this.#delete(em, [device]);
    });
  }

  /**
   * Enables or disables several devices, and returns how many of them that changes.
   * @throws {BusinessError} VALIDATION `设备不存在: 7, 9`; nothing is written then
   */
  changeMany(ids: number[], status: number): Promise<number> {
    return this.transactions.run(async (em) => this.#setStatus(em, await requireDevices(em, ids), status));
  }

  /**
   * Enables or disables the first 500 devices that match the filter and have a greater id than `afterId`. Devices that
   * are deleted meanwhile are left out.
   * @returns the ids of the devices, ascending, and how many of them that changes
   */
  async changeMatching(
    { from, to, ...filter }: SearchDevicesQuery,
    afterId: number,
    status: number,
  ): Promise<{ ids: number[]; affected: number }> {
    const created = timeRangeOf({ from, to }, this.config.timezone);
    const page = { afterId, limit: MATCHING_BATCH_SIZE };
    const ids = await deviceIdsAfter(this.transactions.read(), { ...filter, created }, page);
    const affected = await this.transactions.run(async (em) =>
      this.#setStatus(em, await lockedDevices(em, ids), status),
    );
    return { ids, affected };
  }

  /** Sets the status of locked devices, and returns how many of them that changes. */
  async #setStatus(em: EntityManager, devices: readonly DeviceEntity[], status: number): Promise<number> {
    const changed = devices.filter((device) => device.status !== status).map(({ id }) => id);
    const affected = changed.length;
    if (affected === 0) return 0;
    await setInDevices(em, changed, { status });
    recordAudit(em, { object_id: null, before: null, after: { affected, device_ids: changed, status } });
    await this.changes.record(em, 'device.updated', changed);
    return affected;
  }

  /**
   * Deletes several devices, removes them from their groups, and returns their number.
   * @throws {BusinessError} VALIDATION `设备不存在: 7, 9`; nothing is written then
   */
  removeMany(ids: number[]): Promise<number> {
    return this.transactions.run(async (em) => {
      const devices = await requireDevices(em, ids);
      const device_ids = devices.map(({ id }) => id);
      const affected = devices.length;
      recordAudit(em, { object_id: null, before: { affected, device_ids }, after: null });
      await this.#delete(em, devices);
      return affected;
    });
  }

  /** Deletes locked devices, removes them from their groups, and from the number of online devices. */
  async #delete(em: EntityManager, devices: readonly DeviceEntity[]): Promise<void> {
    const ids = devices.map(({ id }) => id);
    await this.changes.record(em, 'device.deleted', ids);
    await deleteDevices(em, ids);
    if ((await removeFromGroups(em, ids)) > 0) await bumpMembershipVersion(em);
    await countOnline(em, -devices.filter(({ online }) => online).length);
  }

  async #change(em: EntityManager, id: number, columns: Partial<DeviceEntity>): Promise<void> {
    const [device] = await lockedDevices(em, [id]);
    if (device === undefined) throw new BusinessError('DEVICE_NOT_FOUND');
    await this.#requireFree(em, columns, device);
    const names = Object.keys(columns) as (keyof DeviceEntity)[];
    const changed = names.filter((name) => columns[name] !== device[name]);
    if (changed.length === 0) return;
    await setInDevices(em, [id], columns);
    const before = auditedFields(device);
    recordAudit(em, { object_id: id, before, after: { ...before, ...auditedFields(columns) } });
    await this.changes.record(em, 'device.updated', [id]);
    if (changed.includes('user_id') && device.online) await this.changes.goOffline(em, [id]);
  }

  /**
   * Checks the changed columns.
   * @throws {BusinessError} SERIAL_NO_TAKEN; VALIDATION `用户不存在: 7`; USER_HAS_DEVICE
   */
  async #requireFree(
    em: EntityManager,
    { serial_no, user_id }: Partial<DeviceEntity>,
    device?: DeviceEntity,
  ): Promise<void> {
    if (typeof serial_no === 'string' && serial_no !== device?.serial_no)
      await assertSerialNumberFree(em, serial_no, device?.id);
    if (typeof user_id === 'number' && user_id !== device?.user_id)
      await this.changes.requireFreeUser(em, user_id, device?.id);
  }
}

/** Fields of a device in the audit log. */
const auditedFields = ({ name, serial_no, status, user_id }: Partial<DeviceEntity>) =>
  sentFields({ name, serial_no, status, user_id });
