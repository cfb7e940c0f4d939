import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { type EventPayloads, type EventType, RESYNC } from '../log/event-types';

/* What the OpenAPI document says of events: a schema for each type, which knows the fields of its payload. */

const id: ApiPropertyOptions = { type: 'integer', minimum: 1 };
const count: ApiPropertyOptions = { type: 'integer', minimum: 0 };
const text: ApiPropertyOptions = { type: 'string' };
const yesOrNo: ApiPropertyOptions = { type: 'boolean' };
const localMoment: ApiPropertyOptions = {
  type: 'string',
  pattern: String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$`,
};
const counts: ApiPropertyOptions = {
  type: 'object',
  additionalProperties: { type: 'integer', minimum: 1 },
};
/** What the modules call the records that their events bring. */
const record = (name: string): ApiPropertyOptions => ({
  type: Object,
  allOf: [{ $ref: getSchemaPath(name) }],
});

const textOrNull: ApiPropertyOptions = { ...text, nullable: true };
/** A part of a signal, which is there for two minutes at most, and no longer than its call lasts. */
const fleeting = (schema: ApiPropertyOptions): ApiPropertyOptions =>
  ({ ...schema, required: false }) as ApiPropertyOptions;

const ofSignal = {
  call_id: id,
  signal: { ...fleeting(id), description: 'Beside `call_id` alone, when the signal is gone' },
  terminal_id: {
    ...fleeting(textOrNull),
    description: "The recipient's terminal that is in the call; others skip it",
  },
  signal_id: fleeting(text),
  session_id: fleeting(textOrNull),
  description: fleeting({
    type: 'object',
    nullable: true,
    properties: { type: { type: 'string', enum: ['offer', 'answer'] }, sdp: { type: 'string' } },
    required: ['type', 'sdp'],
  }),
  candidates: fleeting({
    type: 'array',
    items: {
      type: 'object',
      properties: {
        candidate: { type: 'string' },
        sdpMid: { type: 'string', nullable: true },
        sdpMLineIndex: { type: 'integer', nullable: true },
        usernameFragment: { type: 'string', nullable: true },
      },
    },
  }),
};
const call = record('CallResponse');
const ofCall = { call };
const ofTerminal = { call, terminal_id: text };
const ofMessage = { message: record('MessageResponse'), conversation_id: id, unread_count: count };
const conversation = record('ConversationResponse');
const unread = { unread_count: count, by_type: counts };
const ofNotification = { notification: record('NotificationResponse'), ...unread };
/** In an item of the poll, `id` is the cursor. */
const ofNotificationId = { id, notification_id: id, ...unread };

/** Every type with the fields of its payload. The compiler sees to it that no type and no field is missing. */
export const EVENT_SCHEMAS: {
  readonly [Type in EventType]: Readonly<Record<keyof EventPayloads[Type], ApiPropertyOptions>>;
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
  'conversation.read': {
    conversation_id: id,
    user_id: id,
    up_to_message_id: { ...id, nullable: true },
    read_at: localMoment,
    unread_count: { ...count, nullable: true },
  },
  'conversation.updated': { conversation, pinned: yesOrNo, muted: yesOrNo, hidden: yesOrNo },
  'conversation.left': { conversation_id: id },
  'notification.created': ofNotification,
  'notification.unread': ofNotification,
  'notification.read': ofNotificationId,
  'notification.deleted': ofNotificationId,
  'notification.all_read': { notification_type: { ...text, nullable: true }, ...unread },
  'user.updated': { user: record('OwnUserResponse') },
};

export const EVENT_TYPES = Object.keys(EVENT_SCHEMAS) as EventType[];

/** The schemas of the poll's items: `call.ringing` is a `CallRingingEvent`; and the one event that is in no log. */
export const EVENT_MODELS: ReadonlyMap<string, Type> = new Map(
  Object.entries<Readonly<Record<string, ApiPropertyOptions>>>({ ...EVENT_SCHEMAS, [RESYNC]: {} }).map(
    ([type, payload]) => [type, modelOf(type, payload)],
  ),
);

function modelOf(type: string, payload: Readonly<Record<string, ApiPropertyOptions>>): Type {
  class EventModel {}
  ApiSchema({ name: nameOf(type) })(EventModel);
  const id: ApiPropertyOptions = { ...count, description: 'The cursor of this event' };
  const head: Record<string, ApiPropertyOptions> = {
    id,
    type: { type: 'string', enum: [type] },
    created_at: { type: 'string', format: 'date-time', description: 'When it happened' },
  };
  const fields = Object.entries({ ...head, ...payload, id });
  for (const [name, schema] of fields) ApiProperty(schema)(EventModel.prototype, name);
  return EventModel;
}

function nameOf(type: string): string {
  const words = type.split(/[._]/).map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`);
  return `${words.join('')}Event`;
}
