import type { CallResponse } from './dto/call-record.dto';

/** The call as the user who is told sees it. */
interface CallChange {
  call: CallResponse;
}

interface CallAct extends CallChange {
  /** The terminal that acted. */
  terminal_id: string;
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
  }
}
