/**
 * `calling`: it rings at the other's; `ringing`: it rings here; `connecting`: answered, and no sound yet; `in call`;
 * `reconnecting`: the sound is gone for the moment; `ended`.
 */
export type CallState = 'calling' | 'ringing' | 'connecting' | 'in call' | 'reconnecting' | 'ended';

/** How it ended, besides the reasons of docs/calls.md: another terminal has it or declined it; the terminal was closed. */
export type EndReason = 'answered_elsewhere' | 'declined_elsewhere' | 'page_closed' | (string & {});

/** What the service notes of a call that is left in these states. */
export const REASONS: Partial<Record<CallState, EndReason>> = {
  ringing: 'user_reject',
  calling: 'caller_cancel',
};
