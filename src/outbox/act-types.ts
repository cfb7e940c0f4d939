/*
 * What back ends are told of: the types of acts, and what each of them brings. A module adds the payloads of its own by
 * `declare module`; `dto/act-schemas.ts` describes them all, and docs/acts.md is tied to that by a test.
 */

/** Every type, by the thing that it is about (contract 12.3). */
export const ACT_TYPES = [
  'call.created',
  'call.answered',
  'call.ended',
  'message.created',
  'message.recalled',
  'conversation.created',
  'notification.sent',
  'user.created',
  'user.updated',
  'device.created',
  'device.updated',
  'device.deleted',
  'device.online',
  'device.offline',
] as const;

export type ActType = (typeof ACT_TYPES)[number];

/** What an act of each type brings, as nobody in particular sees it. It is kept as JSON. */
export interface ActPayloads {}
