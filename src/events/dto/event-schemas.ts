import { pascalCase, type Schema, type SchemaObject } from '../../openapi/document-types';
import { objectOf, referenceTo } from '../../openapi/envelope-schemas';
import { type EventPayloads, type EventType, RESYNC } from '../log/event-types';

/*
 * OpenAPI schemas of user events, one per type, with the fields of its payload. Fields without a description here have
 * that of `COMMON_FIELDS`.
 */

const id: SchemaObject = { type: 'integer', minimum: 1 };
const count: SchemaObject = { type: 'integer', minimum: 0 };
const text: SchemaObject = { type: 'string' };
const yesOrNo: SchemaObject = { type: 'boolean' };
const localMoment: SchemaObject = {
  type: 'string',
  pattern: String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$`,
};
const counts: SchemaObject = {
  type: 'object',
  additionalProperties: { type: 'integer', minimum: 1 },
};

const textOrNull: SchemaObject = { ...text, nullable: true };

/**
 * A signal is stored until its call ends, for at most two minutes. After that its event has only `call_id` and
 * `signal`, its number.
 */
const ofSignal = {
  call_id: id,
  signal: {
    ...id,
    description: 'The signal’s number; present, with only `call_id` beside it, when the signal was deleted',
    example: 12,
  },
  terminal_id: {
    ...textOrNull,
    description:
      'The recipient’s terminal that is in the call, other terminals ignore the signal; null: any terminal of the recipient',
  },
  signal_id: text,
  session_id: {
    ...textOrNull,
    description: 'Id of the connection, chosen by the caller; null: the callee requests an offer',
  },
  description: {
    type: 'object',
    nullable: true,
    description: 'The sender’s local description; null in a signal with candidates only',
    properties: {
      type: { type: 'string', enum: ['offer', 'answer'], description: 'Type of the description' },
      sdp: {
        ...text,
        description: 'The session description, as created by the sender’s browser',
        example: 'v=0',
      },
    },
    required: ['type', 'sdp'],
  },
  candidates: {
    type: 'array',
    description: 'ICE candidates of the sender; may be empty',
    items: {
      type: 'object',
      properties: {
        candidate: {
          ...text,
          description: 'An ICE candidate; empty: end of candidates',
          example: 'candidate:1 1 udp 2122260223 192.0.2.7 50000 typ host',
        },
        sdpMid: { ...textOrNull, description: 'Media id; null if not specified', example: '0' },
        sdpMLineIndex: {
          type: 'integer',
          nullable: true,
          description: 'Index of the media description',
          example: 0,
        },
        usernameFragment: {
          ...textOrNull,
          description: 'ICE username fragment of the candidate’s generation',
          example: 'Xk3q',
        },
      },
    },
  },
} satisfies Record<string, SchemaObject>;

const call = referenceTo('CallResponse');
const ofCall = { call };
const actor: SchemaObject = {
  ...text,
  description: 'The terminal that acted; empty for a terminal without id',
};
const ofTerminal = { call, terminal_id: actor };
const idOrNull: SchemaObject = { ...id, nullable: true };
const ofMessage = {
  message: referenceTo('MessageResponse'),
  conversation_id: id,
  unread_count: count,
  mention_id: {
    ...idOrNull,
    description: 'Only for users whom the message mentions: their newest unread message with a mention',
    example: 1,
  },
};
const conversation = referenceTo('ConversationResponse');
const unread = {
  unread_count: { ...count, description: 'Number of the user’s unread notifications' },
  by_type: counts,
};
const ofNotification = { notification: referenceTo('NotificationResponse'), ...unread };
const ofNotificationId = {
  id: {
    ...id,
    description: 'The notification’s id in a frame of the stream; in an item of the poll the cursor',
  },
  notification_id: id,
  ...unread,
};

/** Schemas of the payload fields of every type. The compiler rejects a missing type or field. */
export const EVENT_SCHEMAS: {
  readonly [Type in EventType]: Readonly<Record<keyof EventPayloads[Type], Schema>>;
} = {
  'call.ringing': ofCall,
  'call.accepted': ofTerminal,
  'call.rejected': ofTerminal,
  'call.answered_elsewhere': ofTerminal,
  'call.declined_elsewhere': ofTerminal,
  'call.cancelled': ofCall,
  'call.ongoing': ofCall,
  'call.ended': ofCall,
  'call.missed': ofCall,
  'call.updated': ofCall,
  'call.signal': ofSignal,
  'message.created': ofMessage,
  'message.recalled': { ...ofMessage, conversation },
  'message.edited': {
    conversation_id: id,
    message_id: id,
    content: text,
    display_content: {
      ...text,
      description: 'The new content as one line of text',
      example: 'At seven?',
    },
    edited_at: { ...localMoment, description: 'Time of the edit, in `APP_TIMEZONE`' },
  },
  'conversation.read': {
    conversation_id: id,
    user_id: { ...id, description: 'The reader' },
    up_to_message_id: {
      ...idOrNull,
      description: 'Last read message; null if no message is visible to the reader',
      example: 1,
    },
    read_at: localMoment,
    unread_count: {
      ...count,
      nullable: true,
      description: 'The reader’s remaining unread messages; null for other users',
    },
    mention_id: {
      ...idOrNull,
      description: 'The newest unread message that mentions the reader; null for other users',
      example: null,
    },
  },
  'conversation.updated': { conversation, pinned: yesOrNo, muted: yesOrNo, hidden: yesOrNo },
  'conversation.left': { conversation_id: id },
  'conversation.typing': {
    conversation_id: id,
    user_id: { ...id, description: 'The user who types' },
    typing: { ...yesOrNo, description: 'Whether the user types; false: the user has stopped' },
  },
  'message.reacted': {
    conversation_id: id,
    message_id: id,
    user_id: { ...id, description: 'The user who has reacted' },
    emoji: { ...text, description: 'The emoji, as it was first used on the message', example: '👍' },
    reacted: { ...yesOrNo, description: 'Whether the user has added the reaction; false: removed it' },
    count: { ...count, description: 'Number of users who have reacted with it' },
  },
  'message.deleted': { conversation_id: id, message_id: id, conversation },
  'conversation.cleared': {
    conversation_id: id,
    up_to_message_id: {
      ...idOrNull,
      description: 'Last cleared message; null if there was none',
      example: 1,
    },
    conversation,
  },
  'notification.created': ofNotification,
  'notification.unread': ofNotification,
  'notification.updated': ofNotification,
  'notification.read': ofNotificationId,
  'notification.deleted': ofNotificationId,
  'notification.all_read': {
    notification_type: {
      ...textOrNull,
      description: 'The type of the notifications; null: all types',
      example: 'call_missed',
    },
    ...unread,
  },
  'push.target_removed': {
    id,
    kind: { ...text, description: 'Kind of the target that was deleted', example: 'fcm' },
    terminal_id: text,
    reason: { ...text, description: 'The response of the provider', example: 'UNREGISTERED' },
  },
  'user.updated': { user: referenceTo('OwnUserResponse') },
  'preferences.updated': { preferences: referenceTo('PreferencesResponse') },
  'user.block_changed': {
    user_id: { ...id, description: 'The user who was blocked or unblocked' },
    blocked: { ...yesOrNo, description: 'Whether the user is blocked now' },
  },
};

export const EVENT_TYPES = Object.keys(EVENT_SCHEMAS) as EventType[];

/** Fields that an event may lack. */
const OPTIONAL: Partial<Record<EventType, readonly string[]>> = {
  'message.created': ['mention_id'],
  'message.recalled': ['mention_id'],
  'call.signal': Object.keys(ofSignal).filter((name) => name !== 'call_id'),
};

/**
 * Schema of an item of the poll: an event with its cursor. The reference is in a separate `oneOf`, because code
 * generators treat an `allOf` that contains a discriminator as another type of event, and lose `type`.
 */
export const POLLED_EVENT = {
  allOf: [
    { oneOf: [referenceTo('UserEvent')] },
    objectOf({ id: { ...count, description: 'The cursor of this event', example: 7 } }),
  ],
};

/**
 * Returns the schemas of events by name: `CallRingingEvent` for `call.ringing`; `ResyncEvent` for the event that no log
 * contains; `UserEvent` for any of them, as in the `data` of a frame of the stream.
 */
export function eventSchemas(): Record<string, Schema> {
  const types = Object.entries<Readonly<Record<string, Schema>>>({ ...EVENT_SCHEMAS, [RESYNC]: {} });
  const schemas = types.map(([type, payload]) => [nameOf(type), schemaOf(type, payload)] as const);
  const mapping = types.map(([type]) => [type, referenceTo(nameOf(type)).$ref] as const);
  return {
    ...Object.fromEntries(schemas),
    UserEvent: {
      description: 'An event of the user: the `data` of a frame of the stream',
      oneOf: mapping.map(([, $ref]) => ({ $ref })),
      discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
    },
  };
}

function schemaOf(type: string, payload: Readonly<Record<string, Schema>>): SchemaObject {
  const fields = objectOf({
    type: { ...text, enum: [type], description: 'Type of the event' },
    created_at: { ...text, format: 'date-time', description: 'Time of the event' },
    ...payload,
  });
  const optional = OPTIONAL[type as EventType] ?? [];
  return { ...fields, required: fields.required?.filter((name) => !optional.includes(name)) };
}

const nameOf = (type: string): string => `${pascalCase(type)}Event`;
