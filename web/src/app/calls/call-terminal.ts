import { CallTerminal } from '@callboard/client/calls';
import { callboard } from '../../shared/callboard';

/** Opens the user's call terminal for this window, which the caller has to close. A provider's library loads with its first call. */
export const openTerminal = (): CallTerminal =>
  new CallTerminal(callboard, {
    providers: {
      agora: async () => (await import('@callboard/client/agora')).agora,
      livekit: async () => (await import('@callboard/client/livekit')).livekit,
    },
  });
