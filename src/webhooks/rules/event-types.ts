/** Stands for every type of event. */
export const ALL_TYPES = '*';

/** What a test sends, whoever has subscribed to what. */
export const TEST_TYPE = 'webhook.test';

/** Whether one who has subscribed to these types wants an event of a type. */
export const wants = (subscribed: readonly string[], type: string): boolean =>
  subscribed.includes(ALL_TYPES) || subscribed.includes(type);
