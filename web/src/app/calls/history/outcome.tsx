import { useTranslation } from 'react-i18next';
import type { CallPartyResponse, CallResponse } from '@callboard/client';
import { Icon } from '../../icons';
import { useEndText, useOutcomeText } from '../end-text';

/** The other one of a call. */
export const peerOf = ({ direction, caller, callee }: CallResponse): CallPartyResponse =>
  direction === 'outgoing' ? callee : caller;

const endOf = ({ direction, status, end_reason }: CallResponse) => ({
  role: direction === 'outgoing' ? ('caller' as const) : ('callee' as const),
  status,
  endReason: end_reason,
});

/** Text for a call in progress; undefined for an ended one. */
function useProgressText(): (call: CallResponse) => string | undefined {
  const { t } = useTranslation('client');
  return ({ ended_at: endedAt, status }) =>
    endedAt === null ? t(status === 'ringing' ? 'calls.history.rings' : 'calls.history.goesOn') : undefined;
}

/** How a call came out, in words. */
export function useOutcome(): (call: CallResponse) => string {
  const progressText = useProgressText();
  const endText = useEndText();
  return (call) => progressText(call) ?? endText({ name: peerOf(call).name, ...endOf(call) });
}

/** The same in a few words, for a list. */
export function useShortOutcome(): (call: CallResponse) => string {
  const progressText = useProgressText();
  const outcomeText = useOutcomeText();
  return (call) =>
    progressText(call) ??
    outcomeText({ ...endOf(call), duration: call.accepted_at === null ? null : call.duration });
}

/** Which way a call went, or that it was missed: an arrow and a word. */
export function Direction({ call: { missed, direction } }: { call: CallResponse }) {
  const { t } = useTranslation('client');
  const way = missed ? 'missed' : direction;
  return (
    <span className={`call-direction ${way}`}>
      <Icon name={way} size={16} /> {t(`calls.history.${way}`)}
    </span>
  );
}
