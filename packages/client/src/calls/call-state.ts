import type { CallResponse } from '../generated/types.gen.js';
import type { CallService } from './call-service.js';
import type { LocalMedia } from './local-media.js';
import type { MediaProvider, MediaTicket } from './media/media.js';

/**
 * `calling`: rings at the callee; `ringing`: rings here; `connecting`: accepted, media not connected yet; `in call`;
 * `reconnecting`: the media connection is interrupted; `ended`.
 */
export type CallState = 'calling' | 'ringing' | 'connecting' | 'in call' | 'reconnecting' | 'ended';

/** Why a call ended: a reason of docs/calls.md, or another terminal accepted or declined it, or the terminal was closed. */
export type EndReason = 'answered_elsewhere' | 'declined_elsewhere' | 'page_closed' | (string & {});

/** End reason of a call that the user leaves in these states. The service records the same reason. */
export const REASONS: Partial<Record<CallState, EndReason>> = {
  ringing: 'user_reject',
  calling: 'caller_cancel',
};

/** Options of `CallSession`. */
export interface CallSessionOptions {
  call: CallResponse;
  service: CallService;
  /** Loads the provider of an `app_id`. @throws {CallboardError} `media_failed` if it is not configured */
  providerOf: (appId: string) => Promise<MediaProvider>;
  openMedia: (type: 'audio' | 'video') => Promise<LocalMedia>;
  /** Microphone and camera, if they are open already. */
  local?: LocalMedia;
  /** The ticket that placing the call returned. */
  ticket?: MediaTicket;
}
