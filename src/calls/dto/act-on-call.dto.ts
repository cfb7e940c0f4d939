import { Text } from '../../common/input/fields';

/*
 * The bodies of what can be done with a call, fields in the order of specification 4. A `terminal_id` left out stands for
 * the token's session, which is a terminal of its own, and without a session for the nameless terminal (contract 18.2).
 */

/** Accept and token: which terminal asks. */
export class TerminalRequest {
  @Text({ max: 64, default: '' })
  terminal_id!: string;
}

export class RejectCallRequest {
  @Text({ max: 64, default: '' })
  terminal_id!: string;

  @Text({ max: 50, default: 'user_reject' })
  reason!: string;
}

export class CancelCallRequest {
  @Text({ max: 64, default: '' })
  terminal_id!: string;

  @Text({ max: 50, default: 'caller_cancel' })
  reason!: string;
}

export class HangUpCallRequest {
  @Text({ max: 64, default: '' })
  terminal_id!: string;

  @Text({ max: 50, default: 'local_hangup' })
  reason!: string;
}

export class MediaStateRequest {
  @Text({ max: 64, default: '' })
  terminal_id!: string;

  /** How far the terminal has come; `joined` counts, any other is kept as it is; at most 32 characters. */
  @Text({ max: 32, optional: true })
  stage?: string;

  @Text({ max: 20, optional: true })
  network_quality?: string;
}
