import type { CallResponse } from './dto/call-record.dto';
import type { SignalContent } from './signals/signal-content';

/** The call as the user who is told sees it. */
interface CallChange {
  call: CallResponse;
}

interface CallAct extends CallChange {
  /** The terminal that acted. */
  terminal_id: string;
}

/** What the log keeps of a signal: its number. The rest stands in its place as long as the signal lives (contract 17). */
interface CallSignal extends Partial<SignalContent> {
  call_id: number;
  signal?: number;
  /** The recipient's terminal that is in the call; null: any of the recipient's. */
  terminal_id?: string | null;
  signal_id?: string;
}

declare module '../events/log/event-types' {
  interface EventPayloads {
    'call.ringing': CallChange;
    'call.accepted': CallAct;
    'call.rejected': CallAct;
    'call.answered_elsewhere': CallAct;
    'call.declined_elsewhere': CallAct;
    'call.cancelled': CallChange;
    'call.ongoing': CallChange;
    'call.ended': CallChange;
    'call.missed': CallChange;
    'call.updated': CallChange;
    'call.signal': CallSignal;
  }
}
