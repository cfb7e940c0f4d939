import type { CallResponse } from '../../src/index.js';
import type { MediaContext, MediaProvider } from '../../src/calls/index.js';
import { success } from './scripted-fetch.js';

const encoder = new TextEncoder();

/** The part of MediaStream that a call without a browser uses. */
export class FakeStream {
  constructor(private tracks: MediaStreamTrack[] = []) {}
  getTracks = (): MediaStreamTrack[] => this.tracks;
  getAudioTracks = (): MediaStreamTrack[] => this.tracks.filter(({ kind }) => kind === 'audio');
  getVideoTracks = (): MediaStreamTrack[] => this.tracks.filter(({ kind }) => kind === 'video');
  addTrack = (track: MediaStreamTrack): unknown => this.tracks.push(track);
  removeTrack = (track: MediaStreamTrack): unknown =>
    (this.tracks = this.tracks.filter((one) => one !== track));
}
const trackOf = (kind: string): MediaStreamTrack => {
  const track = Object.assign(new EventTarget(), {
    kind,
    enabled: true,
    readyState: 'live',
    stop: () => (track.readyState = 'ended'),
  });
  return track as unknown as MediaStreamTrack;
};
/** Creates a `getUserMedia`. `missing`: name of the browser's error for a camera that cannot be opened. */
export const devices =
  (missing?: string) =>
  async ({ audio, video }: MediaStreamConstraints): Promise<MediaStream> => {
    if (video && missing) throw Object.assign(new Error('No camera'), { name: missing });
    return new FakeStream([
      ...(audio ? [trackOf('audio')] : []),
      ...(video ? [trackOf('video')] : []),
    ]) as never;
  };

/** Time of the service's clock. The machine's clock is an hour ahead in the tests. */
export const NOW = Date.parse('2026-01-31T08:00:00Z');
export const at = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString();
export const call = (more: Partial<CallResponse> = {}): CallResponse => ({
  call_id: 5,
  direction: 'incoming',
  media_type: 'video',
  status: 'ringing',
  end_reason: null,
  ended_by: null,
  version: 1,
  caller: { id: 2, name: 'Alice', avatar: null },
  callee: { id: 7, name: 'Amy', avatar: null },
  channel_name: 'call-5',
  created_at: at(0),
  ring_expires_at: at(60),
  accepted_at: null,
  started_at: null,
  ended_at: null,
  duration: 0,
  missed: false,
  server_time: at(0),
  caller_uid: '1',
  callee_uid: '2',
  ...more,
});

const ticket = { call_id: 5, channel_name: 'call-5', app_id: 'a'.repeat(32), rtc_token: 'token', version: 2 };

/** Responses of the service to the requests of a terminal in one call. */
export class FakeService {
  readonly asked: string[] = [];
  readonly answers: Record<string, () => Response | Promise<Response>> = {
    'GET /api/calls/active': () => success(null, { 'X-Event-Cursor': '1' }),
    'GET /api/calls/5': () =>
      success(call({ version: 3, status: 'ended', ended_at: at(9), end_reason: 'no_answer' })),
    'POST /api/calls/5/accept': () =>
      success({ ...ticket, callee_uid: '2', expire_at: at(3600), status: 'accepted' }),
    'POST /api/calls/5/token': () =>
      success({ ...ticket, uid: '2', rtc_token: 'renewed', expire_at: at(7200) }),
  };
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;

  readonly fetch: typeof fetch = async (input, { method = 'GET', signal } = {}) => {
    const name = `${method} ${new URL(input as string).pathname}`;
    if (name === 'GET /api/events') {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          this.#stream = controller;
          signal?.addEventListener('abort', () => controller.error(new Error('Given up')));
        },
      });
      return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
    }
    this.asked.push(name);
    return (this.answers[name] ?? (() => success({ call_id: 5 })))();
  };

  tell(event: object): void {
    this.#stream?.enqueue(
      encoder.encode(`id: 9\ndata: ${JSON.stringify({ created_at: at(0), ...event })}\n\n`),
    );
  }
}

/** A media provider whose events the test triggers through `context`. */
export class FakeProvider implements MediaProvider {
  readonly needsReports = true;
  context: MediaContext | undefined;
  readonly calls: unknown[][] = [];

  readonly connect = async (context: MediaContext) => {
    this.context = context;
    const act =
      (name: string) =>
      async (...args: unknown[]): Promise<void> => {
        this.calls.push([name, ...args]);
      };
    return {
      send: act('send'),
      mute: (isMuted: boolean) => void this.calls.push(['mute', isMuted]),
      renewed: act('renewed'),
      close: () => void this.calls.push(['close']),
    };
  };
}
