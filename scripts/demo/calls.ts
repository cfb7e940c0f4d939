import { setTimeout as pause } from 'node:timers/promises';
import type { DemoClient } from './client';

interface Placed {
  call_id: number;
  app_id: string;
}

type Chapter = (title: string) => void;

/** Until what was sent has been printed. */
const LISTENERS_HEAR_MS = 200;

/** One call from the first ring to the last word, then the four ways in which a call comes to nothing. */
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
  // With another media provider there are none.
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

  chapter('A call that nobody answers ends by itself');
  const unanswered = await alice.post<Placed>('/api/calls', { callee_id: ids.carol });
  while ((await alice.peek<{ status: string }>(`/api/calls/${unanswered.call_id}`)).status === 'ringing')
    await pause(200);
  await alice.get(`/api/calls/${unanswered.call_id}`);
  await carol.get('/api/calls?missed=1');
}

/** Shortened: a browser's description has 5,000 characters. */
const sdpOf = (address: string): string => `v=0\r\no=- 1 2 IN IP4 ${address}\r\ns=-\r\nt=0 0\r\n`;
const candidateOf = (address: string): object => ({
  candidate: `candidate:1 1 udp 2113937151 ${address} 50000 typ host`,
  sdpMid: '0',
  sdpMLineIndex: 0,
});

/** What the two terminals tell each other to connect, relayed by the service, and what is left of it in the log. */
async function demonstrateSignals(
  { alice, bob }: Record<'alice' | 'bob', DemoClient>,
  call: number,
  chapter: Chapter,
): Promise<void> {
  chapter('Signals: an offer, an answer, and the ways to each other, from terminal to terminal');
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
  // From another terminal of the same user.
  await bob.post(signals, { terminal_id: 'bob-tablet', signal_id: 'b2' });
  await pause(LISTENERS_HEAR_MS);
}

/** Of the signals of a call that is over, the log of events knows that there were some. */
async function showWhatIsLeft(listener: DemoClient, chapter: Chapter): Promise<void> {
  chapter('What is left of the signals now: no address');
  // The first three told of the call ringing, answered, and answered elsewhere.
  await listener.get('/api/events/poll?after=3&limit=2');
}
