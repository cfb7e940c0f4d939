import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { QueryInteger } from '../../common/input/fields';
import type { LoggedEvent } from '../log/event';
import { EVENT_MODELS } from './event-schemas';

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
export interface EventItem {
  /** The cursor of this event. */
  id: number;
  /** What happened, such as `call.ringing`; `resync` when events asked for are gone. */
  type: string;
  /** When it happened, ISO 8601. */
  created_at: string;
}

/** A stretch of the user's events, in order. */
@ApiExtraModels(...EVENT_MODELS.values())
export class PollResponse {
  @ApiProperty({
    type: 'array',
    items: {
      oneOf: Array.from(EVENT_MODELS.values(), (model) => ({ $ref: getSchemaPath(model) })),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(
          Array.from(EVENT_MODELS, ([type, model]) => [type, getSchemaPath(model)]),
        ),
      },
    },
  })
  items!: EventItem[];
  /** The cursor for the next request. */
  next_after!: number;
}

/** Whatever the payload holds, `id` and `type` are the event's own. */
export function toEventItem({ seq: id, type, payload, created_at }: LoggedEvent): EventItem {
  const item = { id, type, created_at: created_at.toISOString() };
  return { ...item, ...(JSON.parse(payload) as object), id, type };
}
