import { Integer, Text } from '../../common/input/fields';
import { VERSION_LENGTH } from '../limits';

const FULL = 100;

/** POST /api/devices/heartbeat (API 12.4). Fields left out keep their last reported value. */
export class HeartbeatRequest {
  /**
   * Software version of the device, at most 50 characters.
   * @example "2.4.1"
   */
  @Text({ max: VERSION_LENGTH, optional: true })
  version?: string;

  /**
   * Battery charge in per cent.
   * @example 87
   */
  @Integer({ min: 0, max: FULL, optional: true })
  battery?: number;
}
