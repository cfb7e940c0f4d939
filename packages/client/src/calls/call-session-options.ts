import type { CallResponse } from '../generated/types.gen.js';
import type { CallService } from './call-service.js';
import type { LocalMedia } from './local-media.js';
import type { MediaContext, MediaProvider, MediaTicket } from './media/media.js';

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

/** The parts of a provider's context that are known when the call joins its media. */
export type JoinParts = Pick<MediaContext, 'ticket' | 'tracks' | 'isResumed'>;
