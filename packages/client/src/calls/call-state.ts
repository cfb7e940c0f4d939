import type { CallResponse } from '../generated/types.gen.js';
import type { CallService } from './call-service.js';
import type { LocalMedia } from './local-media.js';
import type { MediaProvider, MediaTicket } from './media/media.js';

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

/** What a session is made of. */
export interface CallSessionOptions {
  call: CallResponse;
  service: CallService;
  /** Loads the provider of an `app_id`. @throws {CallboardError} `media_failed` where it is not set up */
  providerOf: (appId: string) => Promise<MediaProvider>;
  openMedia: (type: 'audio' | 'video') => Promise<LocalMedia>;
  /** Microphone and camera, where they were asked for already. */
  local?: LocalMedia;
  /** What placing it answered. */
  ticket?: MediaTicket;
}
