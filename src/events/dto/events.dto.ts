import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { QueryInteger } from '../../common/http/fields';
import type { LoggedEvent } from '../event';

export class StreamQuery {
  /** The cursor after which to resume, for clients that cannot send `Last-Event-ID`. */
  @QueryInteger({ max: Number.MAX_SAFE_INTEGER })
  after?: number;
}

export class PollQuery {
  /** The cursor after which to read; left out, reading starts at the oldest event that is kept. */
  @QueryInteger({ max: Number.MAX_SAFE_INTEGER })
  after?: number;

  /** How many events at most: 1 to 500. */
  @QueryInteger({ min: 1, max: 500, default: 100 })
  limit!: number;
}

/** An event; what it brings besides depends on its type and stands beside these fields. */
export class EventItem {
  /** The cursor of this event. */
  id!: number;
  /** What happened, such as `call.ringing`; `resync` when events asked for are gone. */
  type!: string;
  /** When it happened, ISO 8601. */
  created_at!: string;
}

/** Parts of payloads, by the names that their modules gave them (contract 7). */
const PAYLOAD = {
  call: { $ref: getSchemaPath('CallRecord') },
  message: { $ref: getSchemaPath('MessageResponse') },
  conversation: { $ref: getSchemaPath('ConversationResponse') },
  notification: { $ref: getSchemaPath('NotificationResponse') },
};

/** A stretch of the user's events, in order. */
export class EventsPage {
  @ApiProperty({
    type: 'array',
    items: {
      type: 'object',
      description: 'An event; which payload it brings besides depends on its type',
      required: ['id', 'type', 'created_at'],
      properties: {
        id: { type: 'integer', minimum: 0, description: 'The cursor of this event' },
        type: {
          type: 'string',
          description: '`call.ringing` and so on; `resync` when events asked for are gone',
        },
        created_at: { type: 'string', format: 'date-time', description: 'When it happened' },
        ...PAYLOAD,
      },
      additionalProperties: true,
    },
  })
  items!: EventItem[];
  /** The cursor for the next request. */
  next_after!: number;
}

/** Whatever the payload holds, `id` and `type` are the event's own. */
export function toEventItem({ seq: id, type, payload, created_at }: Omit<LoggedEvent, 'user_id'>): EventItem {
  const item = { id, type, created_at: created_at.toISOString() };
  return { ...item, ...(JSON.parse(payload) as object), id, type };
}
