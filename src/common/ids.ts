/*
 * Ids are numbers; where two of them meet in one list of arguments they have a kind, so that one in the other's place
 * does not compile. The rows that ids are read from declare it, and `@PathId` parameters.
 */

declare const kind: unique symbol;
type Id<Kind extends string> = number & { readonly [kind]: Kind };

export type UserId = Id<'user'>;
export type ConversationId = Id<'conversation'>;
export type MessageId = Id<'message'>;
export type CallId = Id<'call'>;
export type NotificationId = Id<'notification'>;
