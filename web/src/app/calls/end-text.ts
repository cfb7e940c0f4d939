import { useTranslation } from 'react-i18next';

interface End {
  /** The other one. */
  name: string;
  role: 'caller' | 'callee';
  endReason: string | null;
}

/** Reasons of docs/calls.md that have words of their own, by whose they are. */
const REASONS = {
  caller: ['busy', 'caller_cancel', 'no_answer', 'user_reject'],
  callee: ['busy', 'caller_cancel', 'no_answer', 'user_reject'],
} as const;
const FOR_BOTH = [
  'local_hangup',
  'connection_lost',
  'max_duration',
  'user_disabled',
  'admin_end',
  'answered_elsewhere',
  'declined_elsewhere',
] as const;

/** Why a call ended, in words; what a client gave as its reason in its own. */
export function useEndText(): (end: End) => string {
  const { t } = useTranslation('client');
  return ({ name, role, endReason }) => {
    const own = REASONS[role].find((reason) => reason === endReason);
    if (own !== undefined) return t(`calls.reasons.${role}.${own}`, { name });
    const common = FOR_BOTH.find((reason) => reason === endReason);
    if (common !== undefined) return t(`calls.reasons.both.${common}`, { name });
    return endReason ?? t('calls.reasons.both.local_hangup');
  };
}
