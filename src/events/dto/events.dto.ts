import { ApiProperty } from '@nestjs/swagger';
import { QueryInteger } from '../../common/input/fields';
import type { LoggedEvent } from '../log/event';
import { POLLED_EVENT } from './event-schemas';

export class StreamQuery {
  /**
   * The cursor after which to resume, for clients that cannot send `Last-Event-ID`; from now on when left out.
   * @example 0
   */
  @QueryInteger({ max: Number.MAX_SAFE_INTEGER })
  after?: number;
}

export class PollQuery {
  /**
   * The cursor after which to read; left out, reading starts at the oldest event that is kept.
   * @example 0
   */
  @QueryInteger({ max: Number.MAX_SAFE_INTEGER })
  after?: number;

  /** How many events at most, 1 to 500. */
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
export class PollResponse {
  /** The events after the cursor that was asked for, the oldest first. */
  @ApiProperty({ type: 'array', items: POLLED_EVENT })
  items!: EventItem[];
  /**
   * The cursor for the next request's `after`.
   * @example 7
   */
  next_after!: number;
}

/** Whatever the payload holds, `id` and `type` are the event's own. */
export function toEventItem({ seq: id, type, payload, created_at }: LoggedEvent): EventItem {
  const item = { id, type, created_at: created_at.toISOString() };
  return { ...item, ...(JSON.parse(payload) as object), id, type };
}
