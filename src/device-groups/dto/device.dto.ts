import { Moment, ZeroOrOne } from '../../openapi/response-fields';
import type { DeviceEntity } from '../entities/device.entity';

/** A device (contract 4). */
export class DeviceResponse {
  id!: number;
  name!: string;
  /** Unique among the devices; null when it has none. */
  serial_no!: string | null;
  /** 1 enabled, 0 disabled. */
  @ZeroOrOne()
  status!: number;
  /** ISO 8601, UTC, milliseconds. */
  @Moment()
  created_at!: string;
}

export const toDeviceResponse = ({
  id,
  name,
  serial_no,
  status,
  created_at,
}: DeviceEntity): DeviceResponse => ({
  id,
  name,
  serial_no,
  status,
  created_at: created_at.toISOString(),
});
