import type { ApiResponse, ApiClient } from './api-client';
import { createCall, type CallFixture, type Stage } from './calls';
import { createTestApp, type TestApp } from './test-app';

/* Calls with the built-in media provider: the caller's terminal is `desk`, the callee's is `phone`. */

export const WEBRTC = { MEDIA_PROVIDER: 'webrtc' };

export const OFFER = { type: 'offer', sdp: 'v=0\r\no=- 1 2 IN IP4 192.0.2.7\r\n' };
export const ANSWER = { type: 'answer', sdp: 'v=0\r\no=- 3 4 IN IP4 198.51.100.8\r\n' };
export const CANDIDATE = {
  candidate: 'candidate:1 1 udp 2113937151 192.0.2.7 50000 typ host',
  sdpMid: '0',
  sdpMLineIndex: 0,
  usernameFragment: 'abcd',
};

let lastSignal = 0;

/** Returns an offer with a unique id. */
export const createOffer = (more: object = {}): Record<string, unknown> => {
  lastSignal += 1;
  return { signal_id: `signal-${lastSignal}`, session_id: 'session-1', description: OFFER, ...more };
};

export const createWebrtcApp = (env: NodeJS.ProcessEnv = {}): Promise<TestApp> =>
  createTestApp({ env: { ...WEBRTC, ...env } });

export interface SignallingFixture extends CallFixture {
  /** Sends a signal from the terminal in the call, unless the body names another. */
  signal(who: 'caller' | 'callee' | 'stranger', body: object): Promise<ApiResponse>;
}

export const TERMINALS = { caller: 'desk', callee: 'phone', stranger: 'phone' };

/** Creates a call at a stage, with a function that sends signals in it. */
export async function createSignallingCall(
  api: ApiClient,
  stage: Stage = 'accepted',
  body: object = {},
): Promise<SignallingFixture> {
  const fixture = await createCall(api, stage, body);
  return {
    ...fixture,
    signal: (who, signal) =>
      fixture.perform(fixture[who], 'signals', { terminal_id: TERMINALS[who], ...signal }),
  };
}

/** Returns a user's signal events without their cursors. */
export async function signalsOf(client: ApiClient): Promise<Record<string, unknown>[]> {
  const { items } = (await client.get('/api/events/poll?limit=500')).body.data as {
    items: ({ id: number; type: string } & Record<string, unknown>)[];
  };
  return items.filter(({ type }) => type === 'call.signal').map(withoutCursor);
}

function withoutCursor(item: Record<string, unknown>): Record<string, unknown> {
  const event = { ...item };
  delete event.id;
  return event;
}

export const DONE = { code: 0, message: '操作成功', data: null };
