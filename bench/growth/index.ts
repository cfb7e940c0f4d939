import { allCalls } from './all-calls';
import { attachments } from './attachments';
import { audit } from './audit';
import { calls } from './calls';
import type { BenchPart } from './bench-app';
import { deviceGroups } from './device-groups';
import { devices } from './devices';
import { events } from './events';
import { identity } from './identity';
import { media } from './media';
import { notifications } from './notifications';
import { messaging } from './messaging';
import { outbox } from './outbox';
import { people } from './people';
import { pushBroadcast } from './push/broadcast';
import { pushRings } from './push/rings';
import { pushSends } from './push/sends';
import { search } from './search';
import { statistics } from './statistics';
import { web } from './web';
import { webhooks } from './webhooks';

export const PARTS: BenchPart[] = [
  identity,
  calls,
  allCalls,
  media,
  deviceGroups,
  devices,
  notifications,
  messaging,
  search,
  attachments,
  people,
  events,
  outbox,
  webhooks,
  pushRings,
  pushSends,
  pushBroadcast,
  audit,
  statistics,
  web,
];
