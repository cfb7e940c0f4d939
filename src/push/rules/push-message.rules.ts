import type { PushTargetEntity } from '../entities/push-target.entity';

/** Kinds of pushes (API 18.3). */
export type PushType = 'call.ringing' | 'call.over' | 'message' | 'notification' | 'read' | 'test';

/** The part of a target that a provider needs. */
export type PushAddress = Pick<
  PushTargetEntity,
  'id' | 'kind' | 'token' | 'p256dh' | 'auth' | 'app' | 'provider' | 'sandbox' | 'registered_at'
>;

/** A push, as all providers receive it; each one words it in its own format. */
export interface PushMessage {
  type: PushType;
  /** The object, such as `conversation:9`; a later push with the same topic replaces this one. */
  topic: string;
  /** Null: nothing is displayed. */
  title: string | null;
  body: string | null;
  /** Unread messages and notifications of the user; null: unchanged. */
  badge: number | null;
  priority: 'high' | 'normal';
  /** Displayed without sound and light. */
  isSilent: boolean;
  /** Whether it is displayed at all, or only handled by the app. */
  isDisplayed: boolean;
  /** Time after which providers drop it. */
  expiresAt: Date;
  /** Time of sending. */
  now: Date;
  /** URL that a click on a Web Push opens. */
  url: string;
  /** The fields of API 18.3. */
  data: Record<string, unknown>;
}

/** Outcome of one attempt (API 18.4). */
export interface PushOutcome {
  /**
   * `removed`: the token does not exist any more. `rejected`: the provider does not accept the token, perhaps because of
   * wrong settings. `retry`: it may succeed later. `dropped`: this push can never succeed.
   */
  result: 'accepted' | 'removed' | 'rejected' | 'retry' | 'dropped';
  /** Why it was not accepted; null if it was. */
  reason: string | null;
  /** Minimum wait before the next attempt that the provider asked for. */
  retryAfterMs?: number;
}

export const ACCEPTED: PushOutcome = { result: 'accepted', reason: null };

/** Returns the seconds after which providers drop a push, which never lets it outlive its expiry. */
export const ttlSecondsOf = ({ expiresAt, now }: Pick<PushMessage, 'expiresAt' | 'now'>): number =>
  Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1000));

/** Maximum size of the payload of every provider, with room for its own fields. */
const MAX_DATA_BYTES = 3_900;

const isTooLong = (payload: string): boolean => Buffer.byteLength(payload) > MAX_DATA_BYTES;

/**
 * Returns the payload with the largest prefix of a text with which it is not longer than the limit of all providers.
 * @param compose called once if the whole text fits, as nearly all do
 */
export function payloadWith(text: string | null, compose: (text: string | null) => string): string {
  const whole = compose(text);
  if (text === null || !isTooLong(whole)) return whole;
  const characters = Array.from(text);
  const prefix = (length: number): string => characters.slice(0, length).join('');
  let [fits, over] = [0, characters.length];
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2);
    if (isTooLong(compose(prefix(middle)))) over = middle;
    else fits = middle;
  }
  return compose(prefix(fits));
}
