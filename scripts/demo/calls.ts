import { setTimeout as pause } from 'node:timers/promises';
import type { DemoClient } from './client';

interface Placed {
  call_id: number;
}

type Chapter = (title: string) => void;

/** One call from the first ring to the last word, then the four ways in which a call comes to nothing. */
export async function demonstrateCalls(
  { alice, bob, carol }: Record<'alice' | 'bob' | 'carol', DemoClient>,
  ids: { bob: number; carol: number },
  chapter: Chapter,
): Promise<void> {
  chapter('A call: ring, accept, renew the token, join the media, hang up');
  const { call_id: call } = await alice.post<Placed>('/api/calls', {
    callee_id: ids.bob,
    media_type: 'video',
    terminal_id: 'alice-laptop',
    request_id: 'demo-1',
  });
  await bob.get('/api/calls/active');
  await bob.post(`/api/calls/${call}/accept`, { terminal_id: 'bob-phone' });
  await bob.post(`/api/calls/${call}/accept`, { terminal_id: 'bob-tablet' });
  await alice.post(`/api/calls/${call}/token`, { terminal_id: 'alice-laptop' });
  await alice.post(`/api/calls/${call}/media-state`, { terminal_id: 'alice-laptop', stage: 'joined' });
  await bob.post(`/api/calls/${call}/media-state`, {
    terminal_id: 'bob-phone',
    stage: 'joined',
    network_quality: 'good',
  });
  await pause(1_100);
  await bob.post(`/api/calls/${call}/hangup`, { terminal_id: 'bob-phone' });
  await alice.get(`/api/calls/${call}`);

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
