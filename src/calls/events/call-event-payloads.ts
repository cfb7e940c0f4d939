import type { CallResponse } from '../dto/call-record.dto';
import type { SignalContent } from '../signals/signal-content';

interface CallChange {
  /** From the recipient's point of view. */
  call: CallResponse;
}

interface TerminalCallChange extends CallChange {
  /** The terminal that acted. */
  terminal_id: string;
}

/**
 * The event log stores only `call_id` and `signal`, the id of the signal. While the signal is stored, its body replaces
 * this payload when the event is read (API 6.6).
 */
interface CallSignal extends Partial<SignalContent> {
  call_id: number;
  signal?: number;
  /** The recipient's terminal that is in the call; null: any terminal of the recipient. */
  terminal_id?: string | null;
  signal_id?: string;
}

declare module '../../events/log/event-types' {
  interface EventPayloads {
    'call.ringing': CallChange;
    'call.accepted': TerminalCallChange;
    'call.rejected': TerminalCallChange;
    'call.answered_elsewhere': TerminalCallChange;
    'call.declined_elsewhere': TerminalCallChange;
    'call.cancelled': CallChange;
    'call.ongoing': CallChange;
    'call.ended': CallChange;
    'call.missed': CallChange;
    'call.updated': CallChange;
    'call.signal': CallSignal;
  }
}
