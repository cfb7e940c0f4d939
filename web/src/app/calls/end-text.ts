import { useTranslation } from 'react-i18next';
import { useFormat } from '../format';

interface End {
  role: 'caller' | 'callee';
  status: string;
  endReason: string | null;
}

interface NamedEnd extends End {
  /** The peer. */
  name: string;
}

interface TimedEnd extends End {
  /** Whole seconds; null for an unanswered call. */
  duration: number | null;
}

/** End reasons (docs/calls.md) whose text depends on the user's role. `COMMON_REASONS`: reasons with one text for both roles. */
const ROLE_REASONS = ['busy', 'caller_cancel', 'no_answer', 'user_reject'] as const;
const COMMON_REASONS = [
  'local_hangup',
  'connection_lost',
  'max_duration',
  'user_disabled',
  'admin_end',
  'answered_elsewhere',
  'declined_elsewhere',
] as const;
/** Default reason of each status in which clients may give a custom one. */
const DEFAULT_REASONS: Partial<Record<string, (typeof ROLE_REASONS)[number]>> = {
  rejected: 'user_reject',
  cancelled: 'caller_cancel',
};
/** Translation keys of the outcomes of unanswered calls, by end reason. */
const OUTCOMES = {
  busy: 'busy',
  caller_cancel: 'cancelled',
  no_answer: 'no_answer',
  user_reject: 'declined',
} as const;

const toRoleReason = (reason: string | null) => ROLE_REASONS.find((each) => each === reason);
const toCommonReason = (reason: string | null) => COMMON_REASONS.find((each) => each === reason);

/** Returns a formatter for why a call ended. A custom reason of a client is appended unchanged. */
export function useEndText(): (end: NamedEnd) => string {
  const { t } = useTranslation('client');
  return ({ name, role, status, endReason }) => {
    const common = toCommonReason(endReason);
    if (common !== undefined) return t(`calls.reasons.both.${common}`, { name });
    const roleReason = toRoleReason(endReason) ?? DEFAULT_REASONS[status];
    const outcome = t(
      roleReason === undefined ? 'calls.reasons.both.local_hangup' : `calls.reasons.${role}.${roleReason}`,
      {
        name,
      },
    );
    return endReason === null || endReason === roleReason
      ? outcome
      : t('calls.reasons.because', { outcome, reason: endReason });
  };
}

/** Returns a formatter for the outcome of a call in a few words: its duration, or why it was not answered. */
export function useOutcomeText(): (end: TimedEnd) => string {
  const { t } = useTranslation('client');
  const format = useFormat();
  return ({ role, status, endReason, duration }) => {
    const common = toCommonReason(endReason);
    const reason = common === undefined ? undefined : t(`calls.reasons.both.${common}`);
    if (duration !== null) {
      const time = format.duration(duration);
      const isDefault = reason === undefined || common === 'local_hangup';
      return isDefault ? time : t('calls.endedAfter', { reason, time });
    }
    if (status === 'ended' && reason !== undefined) return reason;
    const roleReason = DEFAULT_REASONS[status] ?? toRoleReason(endReason) ?? 'no_answer';
    return t(`calls.outcomes.${role}.${OUTCOMES[roleReason]}`);
  };
}
