import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Clock } from '../common/clock';
import { BusinessError } from '../common/errors/business-error';
import { foldCase } from '../common/fold-case';
import { sentFields } from '../common/input/sent-fields';
import type { ItemsPage } from '../common/http/page';
import { isUniqueViolation } from '../database/errors';
import { insertRows } from '../database/rows';
import { Transactions } from '../database/transactions';
import { devicesPage } from './devices.queries';
import type { ChangeDeviceRequest, CreateDeviceRequest, ListDevicesQuery } from './dto/device-requests.dto';
import { type DeviceResponse, toDeviceResponse } from './dto/device.dto';
import { DeviceMembershipEntity } from './entities/device-membership.entity';
import { DeviceEntity } from './entities/device.entity';

/** The devices themselves, whatever groups they are in (contract 4). */
@Injectable()
export class DevicesService {
  constructor(
    @InjectRepository(DeviceEntity) private readonly devices: Repository<DeviceEntity>,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** One page, by id; an unknown `group_id` matches nothing. */
  list({ page, per_page, ...filter }: ListDevicesQuery): Promise<ItemsPage<DeviceResponse>> {
    return devicesPage(this.devices.manager, filter, { page, per_page });
  }

  /** @throws {BusinessError} DEVICE_NOT_FOUND */
  async find(id: number): Promise<DeviceResponse> {
    const device = await this.devices.findOneBy({ id });
    if (device === null) throw new BusinessError('DEVICE_NOT_FOUND');
    return toDeviceResponse(device);
  }

  /** @throws {BusinessError} SERIAL_NO_TAKEN */
  async create(body: CreateDeviceRequest): Promise<DeviceResponse> {
    const device = newDevice(body, this.clock.now());
    const id = await unlessTaken(insertRows(this.devices.manager, DeviceEntity, [device]));
    return toDeviceResponse({ ...device, id });
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
    if (Object.keys(columns).length > 0) await unlessTaken(this.devices.update({ id }, columns));
    return this.find(id);
  }

  /**
   * Deletes a device and takes it out of its groups.
   * @throws {BusinessError} DEVICE_NOT_FOUND
   */
  async remove(id: number): Promise<void> {
    await this.transactions.run(async (em) => {
      // The device first: whoever is putting it into a group holds its row, and is waited for here.
      const { affected } = await em.delete(DeviceEntity, { id });
      if (affected !== 1) throw new BusinessError('DEVICE_NOT_FOUND');
      await em.delete(DeviceMembershipEntity, { device_id: id });
    });
  }
}

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
