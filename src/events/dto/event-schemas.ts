import type { Schema, SchemaObject } from '../../openapi/document-types';
import { objectOf, referenceTo } from '../../openapi/envelope-schemas';
import { type EventPayloads, type EventType, RESYNC } from '../log/event-types';

/*
 * What the OpenAPI document says of events: a schema for each type, which knows the fields of its payload. Words that are
 * not here are those of `COMMON_FIELDS`.
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
/** A record as the module calls it whose event brings it. */
const record = (name: string): Schema => referenceTo(name);

const textOrNull: SchemaObject = { ...text, nullable: true };

/** A signal is there for two minutes at most, and no longer than its call lasts: then `signal` stands by itself. */
const ofSignal = {
  call_id: id,
  signal: {
    ...id,
    description: 'The signal’s number, beside `call_id` alone, when the signal is gone',
    example: 12,
  },
  terminal_id: {
    ...textOrNull,
    description: 'The recipient’s terminal that is in the call, others skip it; null: any of the recipient’s',
  },
  signal_id: text,
  session_id: {
    ...textOrNull,
    description: 'The connection, named by the caller; null: the callee asks for an offer',
  },
  description: {
    type: 'object',
    nullable: true,
    description: 'What the sender has set as its local description; null in a signal of candidates alone',
    properties: {
      type: { type: 'string', enum: ['offer', 'answer'], description: 'Who asks and who answers' },
      sdp: {
        ...text,
        description: 'The session description, as the sender’s browser made it',
        example: 'v=0',
      },
    },
    required: ['type', 'sdp'],
  },
  candidates: {
    type: 'array',
    description: 'Ways to reach the sender; empty in a signal without any',
    items: {
      type: 'object',
      properties: {
        candidate: {
          ...text,
          description: 'One way; empty: there are no more',
          example: 'candidate:1 1 udp 2122260223 192.0.2.7 50000 typ host',
        },
        sdpMid: { ...textOrNull, description: 'Of which medium; null where it is not said', example: '0' },
        sdpMLineIndex: {
          type: 'integer',
          nullable: true,
          description: 'Of which medium, by its place',
          example: 0,
        },
        usernameFragment: {
          ...textOrNull,
          description: 'Of which generation of candidates',
          example: 'Xk3q',
        },
      },
    },
  },
} satisfies Record<string, SchemaObject>;

const call = record('CallResponse');
const ofCall = { call };
const actor: SchemaObject = { ...text, description: 'The terminal that acted; empty for the nameless one' };
const ofTerminal = { call, terminal_id: actor };
const idOrNull: SchemaObject = { ...id, nullable: true };
const ofMessage = {
  message: record('MessageResponse'),
  conversation_id: id,
  unread_count: count,
  mention_id: {
    ...idOrNull,
    description: 'To those whom the message mentions: the newest unread one that does',
    example: 1,
  },
};
const conversation = record('ConversationResponse');
const unread = {
  unread_count: { ...count, description: 'How many notifications the user has not read yet' },
  by_type: counts,
};
const ofNotification = { notification: record('NotificationResponse'), ...unread };
const ofNotificationId = {
  id: {
    ...id,
    description: 'The notification’s id in a frame of the stream; in an item of the poll the cursor',
  },
  notification_id: id,
  ...unread,
};

/** Every type with the fields of its payload. The compiler sees to it that no type and no field is missing. */
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
      description: 'What it says now, as one line for people',
      example: 'At seven?',
    },
    edited_at: { ...localMoment, description: 'When it was edited, on the clocks of `APP_TIMEZONE`' },
  },
  'conversation.read': {
    conversation_id: id,
    user_id: { ...id, description: 'Who has read' },
    up_to_message_id: {
      ...idOrNull,
      description: 'Up to which message; null when the reader sees none',
      example: 1,
    },
    read_at: localMoment,
    unread_count: { ...count, nullable: true, description: 'What is left for the reader; null for others' },
    mention_id: {
      ...idOrNull,
      description: 'The reader’s newest unread message that mentions the reader; null for others',
      example: null,
    },
  },
  'conversation.updated': { conversation, pinned: yesOrNo, muted: yesOrNo, hidden: yesOrNo },
  'conversation.left': { conversation_id: id },
  'conversation.typing': {
    conversation_id: id,
    user_id: { ...id, description: 'Who types' },
    typing: { ...yesOrNo, description: 'Whether the user types; false: has stopped' },
  },
  'message.reacted': {
    conversation_id: id,
    message_id: id,
    user_id: { ...id, description: 'Who has reacted' },
    emoji: { ...text, description: 'The emoji, as it was first used on the message', example: '👍' },
    reacted: { ...yesOrNo, description: 'Whether the reaction is there now; false: it was taken back' },
    count: { ...count, description: 'How many users have reacted with it now' },
  },
  'message.deleted': { conversation_id: id, message_id: id, conversation },
  'conversation.cleared': {
    conversation_id: id,
    up_to_message_id: {
      ...idOrNull,
      description: 'Up to which message, itself included; null where there was none',
      example: 1,
    },
    conversation,
  },
  'notification.created': ofNotification,
  'notification.unread': ofNotification,
  'notification.read': ofNotificationId,
  'notification.deleted': ofNotificationId,
  'notification.all_read': {
    notification_type: {
      ...textOrNull,
      description: 'Of which type; null: of all types',
      example: 'call_missed',
    },
    ...unread,
  },
  'user.updated': { user: record('OwnUserResponse') },
  'user.block_changed': {
    user_id: { ...id, description: 'Whom one has blocked, or no longer blocks' },
    blocked: { ...yesOrNo, description: 'Whether the user is blocked now' },
  },
};

export const EVENT_TYPES = Object.keys(EVENT_SCHEMAS) as EventType[];

/** The fields that an event may come without. */
const OPTIONAL: Partial<Record<EventType, readonly string[]>> = {
  'message.created': ['mention_id'],
  'message.recalled': ['mention_id'],
  'call.signal': Object.keys(ofSignal).filter((name) => name !== 'call_id'),
};

/**
 * An item of the poll: an event with its cursor. The reference stands in a `oneOf` of its own, because generators take
 * `allOf` with a discriminator in it for another type of event, and lose `type`.
 */
export const POLLED_EVENT = {
  allOf: [
    { oneOf: [referenceTo('UserEvent')] },
    objectOf({ id: { ...count, description: 'The cursor of this event', example: 7 } }),
  ],
};

/**
 * The schemas of events by their names: `call.ringing` is a `CallRingingEvent`, the one event that is in no log a
 * `ResyncEvent`; `UserEvent` is any of them, as the `data` of a frame of the stream has it.
 */
export function eventSchemas(): Record<string, Schema> {
  const types = Object.entries<Readonly<Record<string, Schema>>>({ ...EVENT_SCHEMAS, [RESYNC]: {} });
  const schemas = types.map(([type, payload]) => [nameOf(type), schemaOf(type, payload)] as const);
  const mapping = types.map(([type]) => [type, referenceTo(nameOf(type)).$ref] as const);
  return {
    ...Object.fromEntries(schemas),
    UserEvent: {
      description: 'Something that happened to the user: the `data` of a frame of the stream',
      oneOf: mapping.map(([, $ref]) => ({ $ref })),
      discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
    },
  };
}

function schemaOf(type: string, payload: Readonly<Record<string, Schema>>): SchemaObject {
  const fields = objectOf({
    type: { ...text, enum: [type], description: 'What happened' },
    created_at: { ...text, format: 'date-time', description: 'When it happened' },
    ...payload,
  });
  const optional = OPTIONAL[type as EventType] ?? [];
  return { ...fields, required: fields.required?.filter((name) => !optional.includes(name)) };
}

function nameOf(type: string): string {
  const words = type.split(/[._]/).map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`);
  return `${words.join('')}Event`;
}
