import { randomUUID } from 'node:crypto';

/** An id for something that back ends are told of, by which it is known for ever: the `webhook-id`. */
export const newEventId = (): string => `msg_${randomUUID().replaceAll('-', '')}`;
