import type { CountedCall, Media } from './call-figures.rules';

/** A call as in its domain event or in its row; times are dates or ISO 8601 texts. */
export interface CallPayload {
  media_type: string;
  status: string;
  end_reason: string | null;
  ended_by: number | null;
  created_at: Date | string;
  ring_expires_at: Date | string;
  accepted_at: Date | string | null;
  ended_at: Date | string | null;
}

/** Converts an ended call to the fields that the statistics need. */
export const toFinishedCall = (call: CallPayload): CountedCall & { media: Media } => ({
  media: call.media_type as Media,
  status: call.status,
  endReason: call.end_reason,
  endedBy: call.ended_by,
  createdAt: toMilliseconds(call.created_at),
  ringExpiresAt: toMilliseconds(call.ring_expires_at),
  acceptedAt: call.accepted_at === null ? null : toMilliseconds(call.accepted_at),
  endedAt: toMilliseconds(call.ended_at ?? call.created_at),
});

const toMilliseconds = (time: Date | string): number => new Date(time).getTime();
