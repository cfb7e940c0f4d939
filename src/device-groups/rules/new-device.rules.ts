import { foldCase } from '../../common/fold-case';
import type { CreateDeviceRequest } from '../dto/device-requests.dto';
import type { DeviceEntity } from '../entities/device.entity';

/** Returns the row of a new device, which has never been online. */
export const newDevice = (
  { name, serial_no, status, user_id = null }: CreateDeviceRequest,
  now: Date,
): Omit<DeviceEntity, 'id'> => ({
  name,
  name_search: foldCase(name),
  serial_no: serial_no ?? null,
  serial_no_search: serial_no === undefined ? null : foldCase(serial_no),
  status,
  created_at: now,
  user_id,
  online: false,
  offline_at: null,
  last_seen_at: null,
  version: null,
  battery: null,
});
