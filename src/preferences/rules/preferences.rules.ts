import { isQuiet, type QuietHours } from './quiet-hours.rules';

/** How much of a push's content is shown: the text, names and titles only, or neither. */
export type Preview = 'full' | 'names' | 'ids';
export const PREVIEWS: readonly Preview[] = ['full', 'names', 'ids'];

/** Maximum number of types for which a user stores a choice. */
export const MAX_TYPES = 100;
/** Stands for messages of chats among the types. */
export const MESSAGE_TYPE = 'message';

/** The choice for one type. */
export interface TypeChoice {
  in_app: boolean;
  push: boolean;
}

/** The choice for a type that the user has not changed. */
export const DEFAULT_CHOICE: TypeChoice = { in_app: true, push: true };

/** The preferences of a user that decide about pushes. */
export interface PushRules {
  dndUntil: Date | null;
  quietHours: QuietHours | null;
  callsWhenQuiet: boolean;
  preview: Preview;
  /** Whether the type of the push is on. */
  push: boolean;
}

/** Preferences of a user who has not changed any. */
export const DEFAULT_RULES: PushRules = {
  dndUntil: null,
  quietHours: null,
  callsWhenQuiet: true,
  preview: 'full',
  push: true,
};

/**
 * How a push is sent. `normal`: as always. `silent`: APNs `passive` without sound, FCM NORMAL with `silent`, no Web Push.
 * `none`: no push.
 */
export type PushDelivery = 'normal' | 'silent' | 'none';

/** The object of a push. `type` is that of the notification; a critical one overrides all preferences. */
export type PushSubject =
  | { kind: 'call' }
  | { kind: 'message' }
  | { kind: 'notification'; type: string; critical?: boolean };

/** A decision about one push to one user. */
export interface PushDecision {
  delivery: PushDelivery;
  preview: Preview;
}

/** Returns the type whose choice applies to a push; undefined for calls, which have none. */
export function typeOf(subject: PushSubject): string | undefined {
  if (subject.kind === 'call') return undefined;
  return subject.kind === 'message' ? MESSAGE_TYPE : subject.type;
}

/** Decides about a push that is sent at `now` (API 10.5). */
export function decidePush(rules: PushRules, subject: PushSubject, now: Date): PushDecision {
  return { delivery: deliveryOf(rules, subject, now), preview: rules.preview };
}

function deliveryOf(rules: PushRules, subject: PushSubject, now: Date): PushDelivery {
  if (subject.kind === 'notification' && subject.critical === true) return 'normal';
  const isDoNotDisturb = rules.dndUntil !== null && now < rules.dndUntil;
  const isInQuietHours = isQuiet(rules.quietHours, now);
  if (subject.kind === 'call')
    return isDoNotDisturb || (isInQuietHours && !rules.callsWhenQuiet) ? 'none' : 'normal';
  if (!rules.push) return 'none';
  return isDoNotDisturb || isInQuietHours ? 'silent' : 'normal';
}
