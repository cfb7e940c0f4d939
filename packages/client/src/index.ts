export { type Attachment, Attachments, type UploadOptions } from './attachments/attachments.js';
export type { UploadStream } from './attachments/byte-source.js';
export type { UploadStore } from './attachments/upload-store.js';
export { Callboard, type CallboardOptions } from './callboard.js';
export { CallboardError, type ClientErrorCode, type ErrorCode } from './errors.js';
export { Events } from './events/events.js';
export type { EventListener, FollowOptions, StreamState } from './events/listener.js';
export type { ServiceErrorCode, ServiceErrorKey } from './generated/errors.gen.js';
export type { Operations, OperationId } from './generated/operations.gen.js';
export type * from './generated/types.gen.js';
export type { Options, RequestOptions } from './http/options.js';
export { applyToConversations, type Conversation } from './live/conversation-list.js';
export { type ConversationsState, LiveConversations } from './live/live-conversations.js';
export { LiveMessages, type MessagesState, type PendingMessage } from './live/live-messages.js';
export {
  LiveNotifications,
  type LiveNotificationsOptions,
  type NotificationsState,
} from './live/live-notifications.js';
export type { MessageWindow } from './live/message-pages.js';
export { LiveStore, type Snapshot } from './live/live-store.js';
export { applyToUnread, LiveUnreadNotifications } from './live/live-unread.js';
export { applyToMessages, type Message } from './live/message-history.js';
export { subscribeToWebPush, unsubscribeFromWebPush, type WebPushOptions } from './push/web-push.js';
export type { TokenProvider } from './session/external-token-source.js';
export { Session, type SessionEnd, type SessionListener } from './session/session.js';
export type { Language } from './service-message.js';
export { cookieStore, memoryStore, type RefreshTokenStore } from './session/stores.js';
export { uniqueId } from './unique-id.js';
