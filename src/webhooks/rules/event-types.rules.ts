/** Subscribes to all event types. */
export const ALL_TYPES = '*';

/** Event type of a test, which is sent regardless of the subscribed types. */
export const TEST_TYPE = 'webhook.test';

/** Whether a subscription covers an event type. */
export const wants = (subscribed: readonly string[], type: string): boolean =>
  subscribed.includes(ALL_TYPES) || subscribed.includes(type);
