import type { FinishedCall, Media } from './call-figures';

/** A call as it is told of, or as its row holds it; moments in whatever form. */
export interface ToldCall {
  media_type: string;
  status: string;
  end_reason: string | null;
  ended_by: number | null;
  created_at: Date | string;
  ring_expires_at: Date | string;
  accepted_at: Date | string | null;
  ended_at: Date | string | null;
}

/** What is to be known of a call that is over, to count it. */
export const toFinishedCall = (call: ToldCall): FinishedCall & { media: Media } => ({
  media: call.media_type as Media,
  status: call.status,
  endReason: call.end_reason,
  endedBy: call.ended_by,
  createdAt: timeOf(call.created_at),
  ringExpiresAt: timeOf(call.ring_expires_at),
  acceptedAt: call.accepted_at === null ? null : timeOf(call.accepted_at),
  endedAt: timeOf(call.ended_at ?? call.created_at),
});

const timeOf = (moment: Date | string): number => new Date(moment).getTime();
