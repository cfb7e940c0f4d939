import { calls } from './calls';
import type { BenchApp } from './bench-app';
import type { Row } from './measure';
import { deviceGroups } from './device-groups';
import { events } from './events';
import { identity } from './identity';
import { notifications } from './notifications';
import { messaging } from './messaging';

/** One module's share of the benchmark. */
export interface Part {
  name: string;
  run(bench: BenchApp): Promise<Row[]>;
}

export const PARTS: Part[] = [identity, calls, deviceGroups, notifications, messaging, events];
