import { randomUUID } from 'node:crypto';

/** Returns a new permanent id for a domain event: the `webhook-id`. */
export const newEventId = (): string => `msg_${randomUUID().replaceAll('-', '')}`;
