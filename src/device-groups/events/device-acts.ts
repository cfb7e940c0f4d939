import type { DeviceResponse } from '../dto/device.dto';

interface DeviceAct {
  /** With the groups it is in; a deleted one as it was. */
  device: DeviceResponse;
}

declare module '../../outbox/act-types' {
  interface ActPayloads {
    'device.created': DeviceAct;
    'device.updated': DeviceAct;
    'device.deleted': DeviceAct;
    'device.online': DeviceAct;
    'device.offline': DeviceAct;
  }
}

export type DeviceActType =
  'device.created' | 'device.updated' | 'device.deleted' | 'device.online' | 'device.offline';
