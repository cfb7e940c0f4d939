import { CallTerminal } from '@callboard/client/calls';
import { callboard } from '../../shared/callboard';

/** The user's terminal for calls in this window; whoever opens it closes it. A provider's library comes with its first call. */
export const openTerminal = (): CallTerminal =>
  new CallTerminal(callboard, {
    providers: {
      agora: async () => (await import('@callboard/client/agora')).agora,
      livekit: async () => (await import('@callboard/client/livekit')).livekit,
    },
  });
