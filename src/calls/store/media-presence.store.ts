import { type EntityManager, LessThan, LessThanOrEqual } from 'typeorm';
import type { CallId } from '../../common/ids';
import { findRows, insertRows, updateRows } from '../../database/sql/statements';
import { CallMediaPresenceEntity } from '../entities/call-media-presence.entity';
import { MediaWebhookEventEntity } from '../entities/media-webhook-event.entity';

/* Statements on the media provider's events, and on the presence of participants that they report. */

type Presence = Omit<CallMediaPresenceEntity, 'call_id' | 'user_id'>;
type Participant = Pick<CallMediaPresenceEntity, 'call_id' | 'user_id'>;

/**
 * Records an event as processed. Returns false if it was processed before. Of two concurrent transactions with the same
 * event the second violates the primary key.
 */
export async function recordEvent(em: EntityManager, id: string, received_at: Date): Promise<boolean> {
  const [processed] = await findRows(em, MediaWebhookEventEntity, { id });
  if (processed === undefined) await insertRows(em, MediaWebhookEventEntity, [{ id, received_at }]);
  return processed === undefined;
}

/** Deletes the events that were received before a time. */
export async function deleteEvents(em: EntityManager, before: Date): Promise<void> {
  await em.delete(MediaWebhookEventEntity, { received_at: LessThan(before) });
}

export async function mediaPresenceOf(em: EntityManager, key: Participant): Promise<Presence | undefined> {
  const [presence] = await findRows(em, CallMediaPresenceEntity, key);
  return presence;
}

export async function insertPresence(em: EntityManager, key: Participant, presence: Presence): Promise<void> {
  await insertRows(em, CallMediaPresenceEntity, [{ ...key, ...presence }]);
}

export async function updatePresence(em: EntityManager, key: Participant, presence: Presence): Promise<void> {
  await updateRows<CallMediaPresenceEntity>(em, CallMediaPresenceEntity, key, presence);
}

/** Returns the participants who are in the media channel of a call. */
export const joinedParticipants = (em: EntityManager, call_id: CallId): Promise<CallMediaPresenceEntity[]> =>
  findRows(em, CallMediaPresenceEntity, { call_id, state: 'joined' });

/** Returns whether a grace period or lease in a call ends at this time or earlier. */
export const hasGraceUntil = (em: EntityManager, call_id: CallId, time: Date): Promise<boolean> =>
  em.existsBy(CallMediaPresenceEntity, { call_id, grace_until: LessThanOrEqual(time) });
