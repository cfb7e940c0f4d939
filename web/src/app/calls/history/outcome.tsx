import { useTranslation } from 'react-i18next';
import type { CallPartyResponse, CallResponse } from '@callboard/client';
import { Icon } from '../../icons';
import { useEndText, useOutcomeText } from '../end-text';

/** Returns the peer of a call. */
export const peerOf = ({ direction, caller, callee }: CallResponse): CallPartyResponse =>
  direction === 'outgoing' ? callee : caller;

const endOf = ({ direction, status, end_reason }: CallResponse) => ({
  role: direction === 'outgoing' ? ('caller' as const) : ('callee' as const),
  status,
  endReason: end_reason,
});

/** Returns a formatter for a call in progress; it returns undefined for an ended call. */
function useProgressText(): (call: CallResponse) => string | undefined {
  const { t } = useTranslation('client');
  return ({ ended_at: endedAt, status }) =>
    endedAt === null ? t(status === 'ringing' ? 'calls.history.rings' : 'calls.history.goesOn') : undefined;
}

/** Returns a formatter for the outcome of a call, as a sentence. */
export function useOutcome(): (call: CallResponse) => string {
  const progressText = useProgressText();
  const endText = useEndText();
  return (call) => progressText(call) ?? endText({ name: peerOf(call).name, ...endOf(call) });
}

/** Returns a formatter for the outcome of a call in a few words, for lists. */
export function useShortOutcome(): (call: CallResponse) => string {
  const progressText = useProgressText();
  const outcomeText = useOutcomeText();
  return (call) =>
    progressText(call) ??
    outcomeText({ ...endOf(call), duration: call.accepted_at === null ? null : call.duration });
}

/** Icon and label of a call: incoming, outgoing or missed. */
export function Direction({ call: { missed, direction } }: { call: CallResponse }) {
  const { t } = useTranslation('client');
  const way = missed ? 'missed' : direction;
  return (
    <span className={`call-direction ${way}`}>
      <Icon name={way} size={16} /> {t(`calls.history.${way}`)}
    </span>
  );
}
