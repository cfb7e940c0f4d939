import { ApiProperty } from '@nestjs/swagger';
import { QueryInteger } from '../../common/input/fields';
import type { LoggedEvent } from '../log/event';
import { POLLED_EVENT } from './event-schemas';

export class StreamQuery {
  /**
   * The cursor after which to resume, for clients that cannot send `Last-Event-ID`. Default: the newest cursor.
   * @example 0
   */
  @QueryInteger({ max: Number.MAX_SAFE_INTEGER })
  after?: number;
}

export class PollQuery {
  /**
   * The cursor after which to read. Default: before the oldest stored event.
   * @example 0
   */
  @QueryInteger({ max: Number.MAX_SAFE_INTEGER })
  after?: number;

  /** Maximum number of events, 1 to 500. */
  @QueryInteger({ min: 1, max: 500, default: 100 })
  limit!: number;
}

/** An event. Further fields depend on its type, and are at the same level as these. */
export interface EventItem {
  /** The cursor of this event. */
  id: number;
  /** Type of the event, such as `call.ringing`; `resync` if the requested events were deleted. */
  type: string;
  /** Time of the event, ISO 8601. */
  created_at: string;
}

/** Consecutive events of the user, in order. */
export class PollResponse {
  /** The events after the requested cursor, oldest first. */
  @ApiProperty({ type: 'array', items: POLLED_EVENT })
  items!: EventItem[];
  /**
   * The cursor for the next request's `after`.
   * @example 7
   */
  next_after!: number;
}

/**
 * Converts an event to an item of the poll. Its `id` and `type` are the event's, even if the payload has fields with
 * these names.
 */
export function toEventItem({ seq: id, type, payload, created_at }: LoggedEvent): EventItem {
  const item = { id, type, created_at: created_at.toISOString() };
  return { ...item, ...(JSON.parse(payload) as object), id, type };
}
