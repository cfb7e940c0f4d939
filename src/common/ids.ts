/*
 * Branded id types. Ids are numbers; ids that occur together in one argument list have a brand, so that swapped
 * arguments do not compile. Row types and `@PathId` parameters declare the brands.
 */

declare const kind: unique symbol;
type Id<Kind extends string> = number & { readonly [kind]: Kind };

export type UserId = Id<'user'>;
export type ConversationId = Id<'conversation'>;
export type MessageId = Id<'message'>;
export type CallId = Id<'call'>;
export type NotificationId = Id<'notification'>;
