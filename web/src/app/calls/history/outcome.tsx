import { useTranslation } from 'react-i18next';
import type { CallPartyResponse, CallResponse } from '@callboard/client';
import { Icon } from '../../icons';
import { useEndText } from '../end-text';

/** The other one of a call. */
export const peerOf = ({ direction, caller, callee }: CallResponse): CallPartyResponse =>
  direction === 'outgoing' ? callee : caller;

/** How a call came out, in words. */
export function useOutcome(): (call: CallResponse) => string {
  const { t } = useTranslation('client');
  const endText = useEndText();
  return (call) => {
    if (call.ended_at === null)
      return t(call.status === 'ringing' ? 'calls.history.rings' : 'calls.history.goesOn');
    const role = call.direction === 'outgoing' ? 'caller' : 'callee';
    return endText({ name: peerOf(call).name, role, endReason: call.end_reason });
  };
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
