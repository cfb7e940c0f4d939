import type { AdminCallResponse } from '@callboard/client';
import { useTranslation } from 'react-i18next';
import { Status } from '../parts/status';

export type CallStatus = AdminCallResponse['status'];

export const CALL_STATUSES = ['ringing', 'accepted', 'ongoing', 'rejected', 'cancelled', 'ended'] as const;

/** End reasons of the service (docs/calls.md). Clients may give others. */
export const END_REASONS = [
  'local_hangup',
  'user_reject',
  'caller_cancel',
  'no_answer',
  'busy',
  'connection_lost',
  'max_duration',
  'user_disabled',
  'admin_end',
] as const;

const DOTS = {
  ringing: 'warning',
  accepted: 'processing',
  ongoing: 'success',
  rejected: 'default',
  cancelled: 'default',
  ended: 'default',
} as const;

export const isEnded = (status: CallStatus): boolean => ['rejected', 'cancelled', 'ended'].includes(status);

export function CallState({ status }: { status: CallStatus }) {
  const { t } = useTranslation('panel');
  return <Status kind={DOTS[status]} label={t(`calls.status.${status}`)} />;
}

/** Returns a function that translates end reasons. Reasons given by clients are returned unchanged. */
export function useEndReasonLabel(): (reason: string | null) => string {
  const { t } = useTranslation('panel');
  return (reason) => {
    const known = END_REASONS.find((each) => each === reason);
    return known === undefined ? (reason ?? '–') : t(`calls.reasons.${known}`);
  };
}
