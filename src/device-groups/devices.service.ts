import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { noteAudit } from '../audit/trail/note-audit';
import { Clock } from '../common/clock';
import { timeRangeOf } from '../common/day-range';
import { BusinessError } from '../common/errors/business-error';
import { foldCase } from '../common/fold-case';
import { sentFields } from '../common/input/sent-fields';
import type { ItemsPage } from '../common/http/page';
import { isUniqueViolation } from '../database/errors';
import { lockingRows } from '../database/dialect';
import { deleteRows, insertRows, updateRows } from '../database/rows';
import { CONFIG, type Config } from '../config/config';
import type { Creation } from '../database/creations/creation';
import { Transactions } from '../database/transactions';
import { Acts } from '../outbox/acts';
import { devicesByIds, devicesPage } from './devices.queries';
import type { ChangeDeviceRequest, CreateDeviceRequest, ListDevicesQuery } from './dto/device-requests.dto';
import { type DeviceResponse, toDeviceResponse } from './dto/device.dto';
import { DeviceMembershipEntity } from './entities/device-membership.entity';
import { DeviceEntity } from './entities/device.entity';
import type { DeviceActType } from './events/device-acts';
import { raiseMemberships, requireAll } from './memberships.queries';

/** The devices themselves, whatever groups they are in (contract 4). */
@Injectable()
export class DevicesService {
  constructor(
    @InjectRepository(DeviceEntity) private readonly devices: Repository<DeviceEntity>,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    private readonly acts: Acts,
  ) {}

  /** One page, by id where no other order is asked for; an unknown `group_id` matches nothing. */
  list({ page, per_page, from, to, ...filter }: ListDevicesQuery): Promise<ItemsPage<DeviceResponse>> {
    const created = timeRangeOf({ from, to }, this.config.timezone);
    return devicesPage(this.devices.manager, { ...filter, created }, { page, per_page });
  }

  /** @throws {BusinessError} DEVICE_NOT_FOUND */
  async find(id: number): Promise<DeviceResponse> {
    const [device] = await devicesByIds(this.devices.manager, [id]);
    if (device === undefined) throw new BusinessError('DEVICE_NOT_FOUND');
    return device;
  }

  /**
   * Creates a device; by the same key once.
   * @throws {BusinessError} SERIAL_NO_TAKEN, REQUEST_ID_REUSED; DEVICE_NOT_FOUND: what the key made is gone
   */
  create(body: CreateDeviceRequest, creation?: Creation): Promise<DeviceResponse> {
    const device = newDevice(body, this.clock.now());
    return this.transactions.once(creation, body, {
      make: (run) =>
        run(async (em) => {
          const id = await unlessTaken(insertRows(em, DeviceEntity, [device]));
          noteAudit(em, { object_id: id, before: null, after: auditedFields(device) });
          await this.#record(em, 'device.created', [id]);
          return toDeviceResponse({ ...device, id }, []);
        }),
      again: (id) => this.find(id),
    });
  }

  /**
   * Changes what is sent and nothing else.
   * @throws {BusinessError} DEVICE_NOT_FOUND, SERIAL_NO_TAKEN
   */
  async change(id: number, { name, serial_no, status }: ChangeDeviceRequest): Promise<DeviceResponse> {
    const columns = sentFields({
      name,
      serial_no,
      status,
      name_search: name && foldCase(name),
      serial_no_search: serial_no && foldCase(serial_no),
    });
    if (Object.keys(columns).length > 0)
      await unlessTaken(this.transactions.run((em) => this.#change(em, id, columns)));
    return this.find(id);
  }

  /**
   * Deletes a device and takes it out of its groups.
   * @throws {BusinessError} DEVICE_NOT_FOUND
   */
  async remove(id: number): Promise<void> {
    await this.transactions.run(async (em) => {
      // The device first: whoever is putting it into a group holds its row, and is waited for here.
      const [device] = await heldDevices(em, [id]);
      if (device === undefined) throw new BusinessError('DEVICE_NOT_FOUND');
      noteAudit(em, { object_id: id, before: auditedFields(device), after: null });
      await this.#record(em, 'device.deleted', [id]);
      await deleteRows(em, DeviceEntity, { id });
      if ((await deleteRows(em, DeviceMembershipEntity, { device_id: id })) > 0) await raiseMemberships(em);
    });
  }

  /**
   * Enables or disables several devices; answers how many of them that changes.
   * @throws {BusinessError} VALIDATION `设备不存在: 7, 9`, and then nothing is written
   */
  changeMany(ids: number[], status: number): Promise<number> {
    return this.transactions.run(async (em) => {
      const devices = await requireDevices(em, ids);
      const changed = devices.filter((device) => device.status !== status).map(({ id }) => id);
      const affected = changed.length;
      if (affected === 0) return 0;
      await updateRows(em, DeviceEntity, { id: changed }, { status });
      noteAudit(em, { object_id: null, before: null, after: { affected, device_ids: changed, status } });
      await this.#record(em, 'device.updated', changed);
      return affected;
    });
  }

  /**
   * Deletes several devices and takes them out of their groups; answers how many there were.
   * @throws {BusinessError} VALIDATION `设备不存在: 7, 9`, and then nothing is written
   */
  removeMany(ids: number[]): Promise<number> {
    return this.transactions.run(async (em) => {
      const device_ids = (await requireDevices(em, ids)).map(({ id }) => id);
      await this.#record(em, 'device.deleted', device_ids);
      const affected = await deleteRows(em, DeviceEntity, { id: ids });
      if ((await deleteRows(em, DeviceMembershipEntity, { device_id: ids })) > 0) await raiseMemberships(em);
      noteAudit(em, { object_id: null, before: { affected, device_ids }, after: null });
      return affected;
    });
  }

  async #change(em: EntityManager, id: number, columns: Partial<DeviceEntity>): Promise<void> {
    const [device] = await heldDevices(em, [id]);
    if (device === undefined) throw new BusinessError('DEVICE_NOT_FOUND');
    const names = Object.keys(columns) as (keyof DeviceEntity)[];
    if (names.every((name) => columns[name] === device[name])) return;
    await updateRows(em, DeviceEntity, { id }, columns);
    const before = auditedFields(device);
    noteAudit(em, { object_id: id, before, after: auditedFields(Object.assign(device, columns)) });
    await this.#record(em, 'device.updated', [id]);
  }

  /** An act for each device, as it is at that moment; its groups are told, but make none. */
  async #record(em: EntityManager, type: DeviceActType, ids: number[]): Promise<void> {
    if (!this.acts.isWanted(type)) return;
    for (const device of await devicesByIds(em, ids))
      this.acts.record(em, type, `device:${device.id}`, () => ({ device }));
  }
}

/** Those of some devices that there are, by id, held until the commit. */
function heldDevices(em: EntityManager, ids: number[]): Promise<DeviceEntity[]> {
  const query = em.createQueryBuilder(DeviceEntity, 'd').where('d.id IN (:...ids)', { ids }).orderBy('d.id');
  return lockingRows(query).getMany();
}

/**
 * The devices named, held until the commit.
 * @throws {BusinessError} VALIDATION `设备不存在: 7, 9`
 */
async function requireDevices(em: EntityManager, ids: number[]): Promise<DeviceEntity[]> {
  const devices = await heldDevices(em, ids);
  requireAll(ids, new Set(devices.map(({ id }) => id)));
  return devices;
}

/** What the audit log has of a device. */
const auditedFields = ({ name, serial_no, status }: Omit<DeviceEntity, 'id'>) => ({
  name,
  serial_no,
  status,
});

/** The row of a new device. */
const newDevice = (
  { name, serial_no = null, status }: { name: string; serial_no?: string | null; status: number },
  now: Date,
): Omit<DeviceEntity, 'id'> => ({
  name,
  name_search: foldCase(name),
  serial_no,
  serial_no_search: serial_no && foldCase(serial_no),
  status,
  created_at: now,
});

/** The only unique key that a device can violate is its serial number's. */
async function unlessTaken<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw isUniqueViolation(error) ? new BusinessError('SERIAL_NO_TAKEN') : error;
  }
}
