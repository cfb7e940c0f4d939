import { allCalls } from './all-calls';
import { audit } from './audit';
import { calls } from './calls';
import type { BenchApp } from './bench-app';
import type { Row } from './measure';
import { deviceGroups } from './device-groups';
import { devices } from './devices';
import { events } from './events';
import { identity } from './identity';
import { media } from './media';
import { notifications } from './notifications';
import { messaging } from './messaging';
import { outbox } from './outbox';
import { people } from './people';
import { statistics } from './statistics';
import { web } from './web';
import { webhooks } from './webhooks';

/** The part of the benchmark that measures one module. */
export interface Part {
  name: string;
  run(bench: BenchApp): Promise<Row[]>;
}

export const PARTS: Part[] = [
  identity,
  calls,
  allCalls,
  media,
  deviceGroups,
  devices,
  notifications,
  messaging,
  people,
  events,
  outbox,
  webhooks,
  audit,
  statistics,
  web,
];
