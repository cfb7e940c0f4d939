import { setTimeout as pause } from 'node:timers/promises';
import type { DemoClient } from './client';

interface Placed {
  call_id: number;
  app_id: string;
}

type Chapter = (title: string) => void;

/** Time for the listeners to print the events of a request. */
const LISTENERS_HEAR_MS = 200;

/** One complete call, then four calls that are not answered: rejected, cancelled, busy, timed out. */
export async function demonstrateCalls(
  { alice, bob, carol }: Record<'alice' | 'bob' | 'carol', DemoClient>,
  ids: { bob: number; carol: number },
  chapter: Chapter,
): Promise<void> {
  chapter('A call: ring, accept, renew the token, join the media, hang up');
  const { call_id: call, app_id } = await alice.post<Placed>('/api/calls', {
    callee_id: ids.bob,
    media_type: 'video',
    terminal_id: 'alice-laptop',
    request_id: 'demo-1',
  });
  await bob.get('/api/calls/active');
  await bob.post(`/api/calls/${call}/accept`, { terminal_id: 'bob-phone' });
  await bob.post(`/api/calls/${call}/accept`, { terminal_id: 'bob-tablet' });
  await alice.post(`/api/calls/${call}/token`, { terminal_id: 'alice-laptop' });
  // Other media providers have no signals.
  if (app_id === 'webrtc') await demonstrateSignals({ alice, bob }, call, chapter);
  await alice.post(`/api/calls/${call}/media-state`, { terminal_id: 'alice-laptop', stage: 'joined' });
  await bob.post(`/api/calls/${call}/media-state`, {
    terminal_id: 'bob-phone',
    stage: 'joined',
    network_quality: 'good',
  });
  await pause(1_100);
  await bob.post(`/api/calls/${call}/hangup`, { terminal_id: 'bob-phone' });
  await alice.get(`/api/calls/${call}`);
  if (app_id === 'webrtc') await showWhatIsLeft(bob, chapter);

  chapter('A rejected call');
  const rejected = await alice.post<Placed>('/api/calls', { callee_id: ids.bob });
  await bob.post(`/api/calls/${rejected.call_id}/reject`, { reason: 'in_a_meeting' });

  chapter('A cancelled call');
  const cancelled = await alice.post<Placed>('/api/calls', { callee_id: ids.bob });
  await alice.post(`/api/calls/${cancelled.call_id}/cancel`);
  await bob.post(`/api/calls/${cancelled.call_id}/accept`);

  chapter('A busy callee');
  const busy = await alice.post<Placed>('/api/calls', { callee_id: ids.bob });
  await carol.post('/api/calls', { callee_id: ids.bob });
  await alice.post(`/api/calls/${busy.call_id}/cancel`);

  chapter('An unanswered call times out');
  const unanswered = await alice.post<Placed>('/api/calls', { callee_id: ids.carol });
  while ((await alice.peek<{ status: string }>(`/api/calls/${unanswered.call_id}`)).status === 'ringing')
    await pause(200);
  await alice.get(`/api/calls/${unanswered.call_id}`);
  await carol.get('/api/calls?missed=1');
}

/** A shortened SDP; that of a browser has 5,000 characters. */
const sdpOf = (address: string): string => `v=0\r\no=- 1 2 IN IP4 ${address}\r\ns=-\r\nt=0 0\r\n`;
const candidateOf = (address: string): object => ({
  candidate: `candidate:1 1 udp 2113937151 ${address} 50000 typ host`,
  sdpMid: '0',
  sdpMLineIndex: 0,
});

/** The signals that the two terminals exchange through the service to connect. */
async function demonstrateSignals(
  { alice, bob }: Record<'alice' | 'bob', DemoClient>,
  call: number,
  chapter: Chapter,
): Promise<void> {
  chapter('Signals: offer, answer and candidates, from terminal to terminal');
  const signals = `/api/calls/${call}/signals`;
  const session = { session_id: 'connection-1' };
  await alice.post(signals, {
    terminal_id: 'alice-laptop',
    signal_id: 'a1',
    ...session,
    description: { type: 'offer', sdp: sdpOf('192.0.2.7') },
  });
  await bob.post(signals, {
    terminal_id: 'bob-phone',
    signal_id: 'b1',
    ...session,
    description: { type: 'answer', sdp: sdpOf('198.51.100.8') },
    candidates: [candidateOf('198.51.100.8')],
  });
  const candidates = [candidateOf('192.0.2.7'), { candidate: '' }];
  await alice.post(signals, { terminal_id: 'alice-laptop', signal_id: 'a2', ...session, candidates });
  // A signal from another terminal of the same user, which is rejected.
  await bob.post(signals, { terminal_id: 'bob-tablet', signal_id: 'b2' });
  await pause(LISTENERS_HEAR_MS);
}

/** Shows that the event log of a finished call still contains its signals, but without their content. */
async function showWhatIsLeft(listener: DemoClient, chapter: Chapter): Promise<void> {
  chapter('The signals in the event log after the call: no addresses');
  // The first three events are: ringing, accepted, and accepted elsewhere.
  await listener.get('/api/events/poll?after=3&limit=2');
}
