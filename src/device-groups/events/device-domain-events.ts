import type { DomainEventPayloads } from '../../outbox/domain-event-types';
import type { DeviceResponse } from '../dto/device.dto';

interface DevicePayload {
  /** The device with its groups; a deleted one as it was before. */
  device: DeviceResponse;
}

declare module '../../outbox/domain-event-types' {
  interface DomainEventPayloads {
    'device.created': DevicePayload;
    'device.updated': DevicePayload;
    'device.deleted': DevicePayload;
    'device.online': DevicePayload;
    'device.offline': DevicePayload;
  }
}

export type DeviceDomainEventType = Extract<keyof DomainEventPayloads, `device.${string}`>;
