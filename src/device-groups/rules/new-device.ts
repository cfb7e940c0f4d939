import { foldCase } from '../../common/fold-case';
import type { DeviceEntity } from '../entities/device.entity';

/** What is told of a new device. */
interface AboutDevice {
  name: string;
  serial_no?: string | null;
  status: number;
  user_id?: number | null;
}

/** The row of a device that is new, and has never been there. */
export const newDevice = (
  { name, serial_no = null, status, user_id = null }: AboutDevice,
  now: Date,
): Omit<DeviceEntity, 'id'> => ({
  name,
  name_search: foldCase(name),
  serial_no,
  serial_no_search: serial_no && foldCase(serial_no),
  status,
  created_at: now,
  user_id,
  online: false,
  offline_at: null,
  last_seen_at: null,
  version: null,
  battery: null,
});
