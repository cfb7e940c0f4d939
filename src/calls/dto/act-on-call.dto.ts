import { Text } from '../../common/input/fields';

/*
 * Request bodies of the actions on a call; fields in the order of API 5.1. An omitted `terminal_id` means the
 * terminal of the token's session, or the nameless terminal if the token has no session (API 5.3).
 */

/** Body of accept and token: the requesting terminal. */
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

  /** Progress of the terminal, at most 32 characters. `joined` starts the call; any other value is only stored. */
  @Text({ max: 32, optional: true })
  stage?: string;

  @Text({ max: 20, optional: true })
  network_quality?: string;
}
