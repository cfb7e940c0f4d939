import type { Schema, SchemaObject } from '../../openapi/document-types';
import { objectOf, referenceTo } from '../../openapi/envelope-schemas';
import { CONTENT_FIELDS, type DomainEventPayloads, type DomainEventType } from '../domain-event-types';

const id: SchemaObject = { type: 'integer', minimum: 1 };
const idOrNull: SchemaObject = { ...id, nullable: true };
const count: SchemaObject = { type: 'integer', minimum: 0 };
const text: SchemaObject = { type: 'string' };

const ofCall = { call: referenceTo('AdminCallResponse') };
const ofMessage = {
  message_id: id,
  conversation_id: id,
  sender_id: { ...id, description: 'The user who sent the message', example: 2 },
  message_type: { ...text, description: 'Type of the message, such as `text` or `image`', example: 'text' },
  content: text,
  extra: { type: 'object', nullable: true } satisfies SchemaObject,
};
const ofUser = {
  user: referenceTo('UserRecordResponse'),
  changed: {
    type: 'array',
    items: text,
    description: 'Names of the fields that have changed',
    example: ['name'],
  } satisfies SchemaObject,
};
const ofDevice = {
  device: {
    allOf: [referenceTo('DeviceResponse')],
    description: 'The device after the change',
  } satisfies SchemaObject,
};

/** Schemas of the payload fields of every type. The compiler rejects a missing type or field. */
export const DOMAIN_EVENT_SCHEMAS: {
  readonly [Type in DomainEventType]: Readonly<Record<keyof DomainEventPayloads[Type], Schema>>;
} = {
  'call.created': ofCall,
  'call.answered': ofCall,
  'call.ended': ofCall,
  'message.created': ofMessage,
  'message.recalled': ofMessage,
  'conversation.created': {
    conversation_id: id,
    conversation_type: { ...text, enum: ['single', 'group'], description: 'A single chat or a group' },
    owner_id: { ...idOrNull, description: 'The owner of a group; null in single chats', example: 2 },
    member_ids: {
      type: 'array',
      items: id,
      maxItems: 500,
      description: 'The first members',
      example: [2, 3],
    },
  },
  'notification.sent': {
    announcement_id: {
      ...idOrNull,
      description: 'The announcement; null if one user received the notification',
      example: 1,
    },
    audience: {
      ...text,
      enum: ['all', 'role:user', 'role:admin', 'users'],
      description: 'Who received the notification',
    },
    notification_type: { ...text, description: 'Type of the notification', example: 'system' },
    created: { ...count, description: 'Number of users who received it', example: 2 },
    title: text,
    content: text,
  },
  'user.created': ofUser,
  'user.updated': ofUser,
  'device.created': ofDevice,
  'device.updated': ofDevice,
  'device.deleted': ofDevice,
  'device.online': ofDevice,
  'device.offline': ofDevice,
};

/** Returns the schemas of the bodies of webhooks by event type (API 14.3). */
export const webhookSchemas = (): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(DOMAIN_EVENT_SCHEMAS).map(([type, payload]) => [
      type,
      objectOf({
        id: {
          ...text,
          description: 'Id of the event, the same in every attempt',
          example: 'msg_5f0c2b7e9d1a4c3f',
        },
        type: { ...text, enum: [type], description: 'Type of the event' },
        timestamp: { ...text, format: 'date-time', description: 'Time of the event' },
        version: { ...text, description: 'Payload version of the endpoint', example: '2026-12-01' },
        data: payloadSchema(type as DomainEventType, payload),
      }),
    ]),
  );

function payloadSchema(type: DomainEventType, payload: Readonly<Record<string, Schema>>): SchemaObject {
  const schema = objectOf(payload);
  return { ...schema, required: schema.required?.filter((name) => !CONTENT_FIELDS[type]?.includes(name)) };
}
