import { foldCase } from '../../common/fold-case';
import type { DeviceEntity } from '../entities/device.entity';

/** Input for a new device. */
interface NewDevice {
  name: string;
  serial_no?: string | null;
  status: number;
  user_id?: number | null;
}

/** Returns the row of a new device, which has never been online. */
export const newDevice = (
  { name, serial_no = null, status, user_id = null }: NewDevice,
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
