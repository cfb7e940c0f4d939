import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import type { ApiClient } from '../support/api-client';
import { aCall, meet, newUserIds } from '../support/calls';
import { createTestApp, type TestApp } from '../support/test-app';

interface Item {
  id: number;
  type: string;
  terminal_id?: string;
  call: Record<string, unknown>;
}

describe('Events of calls', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  const eventsOf = async (who: ApiClient): Promise<Item[]> =>
    (await who.get('/api/events/poll?after=0')).body.data.items.filter(({ type }: Item) =>
      type.startsWith('call.'),
    );
  const typesOf = async (who: ApiClient): Promise<string[]> => (await eventsOf(who)).map(({ type }) => type);

  it('the callee hears it ring, with the record as the callee sees it', async () => {
    const scene = await aCall(test.api);
    expect(await eventsOf(scene.callee)).toEqual([
      {
        id: 1,
        type: 'call.ringing',
        created_at: '2026-01-31T08:00:00.000Z',
        call: (await scene.callee.get(`/api/calls/${scene.id}`)).body.data,
      },
    ]);
    expect((await eventsOf(scene.callee))[0]?.call).toMatchObject({
      direction: 'incoming',
      status: 'ringing',
      version: 1,
      server_time: '2026-01-31T08:00:00.000Z',
    });
    expect(await eventsOf(scene.caller)).toEqual([]);
    expect(await eventsOf(scene.stranger)).toEqual([]);
  });

  it('an answer tells both, and every other terminal of the callee to stop ringing', async () => {
    const scene = await aCall(test.api, 'accepted');
    expect(await eventsOf(scene.caller)).toMatchObject([
      {
        id: 1,
        type: 'call.accepted',
        terminal_id: 'phone',
        call: { direction: 'outgoing', status: 'accepted', version: 2 },
      },
    ]);
    expect(await eventsOf(scene.callee)).toMatchObject([
      { id: 1, type: 'call.ringing' },
      { id: 2, type: 'call.accepted', terminal_id: 'phone', call: { direction: 'incoming', version: 2 } },
      { id: 3, type: 'call.answered_elsewhere', terminal_id: 'phone', call: { call_id: scene.id } },
    ]);
  });

  it('a refusal does the same', async () => {
    const scene = await aCall(test.api);
    await scene.act(scene.callee, 'reject', { terminal_id: 'desk', reason: 'later' });
    expect(await eventsOf(scene.caller)).toMatchObject([
      { type: 'call.rejected', terminal_id: 'desk', call: { end_reason: 'later' } },
    ]);
    expect((await eventsOf(scene.callee)).slice(1)).toMatchObject([
      { type: 'call.rejected', terminal_id: 'desk' },
      { type: 'call.declined_elsewhere', terminal_id: 'desk', call: { status: 'rejected' } },
    ]);
  });

  it('a call taken back is missed', async () => {
    const scene = await aCall(test.api, 'cancelled');
    expect(await typesOf(scene.caller)).toEqual(['call.cancelled']);
    expect(await typesOf(scene.callee)).toEqual(['call.ringing', 'call.cancelled', 'call.missed']);
    expect((await eventsOf(scene.callee))[2]?.call).toMatchObject({ missed: true, status: 'cancelled' });
    expect(Object.keys((await eventsOf(scene.callee))[1] ?? {})).toEqual([
      'id',
      'type',
      'created_at',
      'call',
    ]);
  });

  it('a call that nobody answers ends for both and is missed, once, whoever sweeps', async () => {
    const scene = await aCall(test.api);
    test.clock.advance(60);
    const deadlines = test.app.get(CallDeadlines);
    await Promise.all([deadlines.sweep(), deadlines.sweep(), deadlines.sweep()]);
    expect(await typesOf(scene.caller)).toEqual(['call.ended']);
    expect(await typesOf(scene.callee)).toEqual(['call.ringing', 'call.ended', 'call.missed']);
    expect((await eventsOf(scene.callee))[1]?.call).toMatchObject({ end_reason: 'no_answer', version: 2 });
  });

  it('the first media make the call ongoing, once; the end ends it', async () => {
    const scene = await aCall(test.api, 'ongoing');
    await scene.act(scene.caller, 'media-state', { stage: 'joined' });
    await scene.act(scene.caller, 'media-state', { stage: 'talking' });
    await scene.act(scene.callee, 'hangup');
    await scene.act(scene.caller, 'hangup');
    expect(await typesOf(scene.caller)).toEqual(['call.accepted', 'call.ongoing', 'call.ended']);
    expect((await typesOf(scene.callee)).slice(3)).toEqual(['call.ongoing', 'call.ended']);
  });

  it('a busy callee misses the call; the one that it was busy with goes on', async () => {
    const scene = await aCall(test.api, 'accepted');
    const [otherId = 0] = newUserIds(1);
    const [other] = await meet(test.api, otherId);
    expect((await other?.post('/api/calls', { callee_id: scene.calleeId }))?.body.code).toBe(41001);
    expect(await eventsOf(other ?? test.api)).toMatchObject([
      { type: 'call.ended', call: { end_reason: 'busy', direction: 'outgoing', missed: false } },
    ]);
    expect((await eventsOf(scene.callee)).slice(3)).toMatchObject([
      { type: 'call.ended', call: { end_reason: 'busy', direction: 'incoming', missed: true } },
      { type: 'call.missed', call: { end_reason: 'busy' } },
    ]);
  });

  it('what changes nothing makes no event', async () => {
    const scene = await aCall(test.api, 'accepted');
    const before = await eventsOf(scene.callee);
    await scene.act(scene.callee, 'accept', { terminal_id: 'phone' });
    await scene.act(scene.callee, 'accept', { terminal_id: 'desk' });
    await scene.act(scene.callee, 'reject');
    await scene.act(scene.caller, 'cancel');
    await scene.act(scene.stranger, 'hangup');
    await scene.act(scene.caller, 'token');
    await scene.caller.post('/api/calls', { callee_id: scene.calleeId });
    expect(await eventsOf(scene.callee)).toEqual(before);
    expect(await typesOf(scene.caller)).toEqual(['call.accepted']);
  });

  it('the same request_id again makes no second ring', async () => {
    const scene = await aCall(test.api, 'ringing', { request_id: 'once' });
    await scene.caller.post('/api/calls', { callee_id: scene.calleeId, request_id: 'once' });
    expect(await typesOf(scene.callee)).toEqual(['call.ringing']);
  });

  it('the active call carries the cursor after which events bring it up to date', async () => {
    const scene = await aCall(test.api);
    const active = await scene.callee.get('/api/calls/active');
    expect(active.headers['x-event-cursor']).toBe('1');
    expect((await scene.stranger.get('/api/calls/active')).headers['x-event-cursor']).toBe('0');
    await scene.act(scene.callee, 'accept', { terminal_id: 'phone' });
    const { items } = (await scene.callee.get('/api/events/poll?after=1')).body.data;
    expect(items.map(({ type }: Item) => type)).toEqual(['call.accepted', 'call.answered_elsewhere']);
  });

  it('20 terminals answer at once: one event of each type, for each of 20 calls', async () => {
    for (let round = 0; round < 20; round += 1) {
      const scene = await aCall(test.api);
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          scene.act(scene.callee, 'accept', { terminal_id: `terminal-${index}` }),
        ),
      );
      expect(await typesOf(scene.callee)).toEqual([
        'call.ringing',
        'call.accepted',
        'call.answered_elsewhere',
      ]);
      await scene.act(scene.caller, 'hangup');
    }
  });
});
