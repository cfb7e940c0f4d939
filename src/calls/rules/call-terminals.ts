import type { UserId } from '../../common/ids';
import type { CallEntity } from '../entities/call.entity';

type Terminals = Pick<CallEntity, 'caller_id' | 'callee_id' | 'caller_terminal_id' | 'answered_terminal_id'>;

/** The terminal of a participant that is in the call: the one that placed or answered it. Null: none yet, or not known. */
export const terminalOf = (call: Terminals, userId: UserId): string | null =>
  userId === call.caller_id ? call.caller_terminal_id : call.answered_terminal_id;
