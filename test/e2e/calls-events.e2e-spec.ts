import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import type { ApiClient } from '../support/api-client';
import { createCall, createUsers, newUserIds } from '../support/calls';
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

  it('send the ringing call to the callee, as the callee sees it', async () => {
    const fixture = await createCall(test.api);
    expect(await eventsOf(fixture.callee)).toEqual([
      {
        id: 1,
        type: 'call.ringing',
        created_at: '2026-01-31T08:00:00.000Z',
        call: (await fixture.callee.get(`/api/calls/${fixture.id}`)).body.data,
      },
    ]);
    expect((await eventsOf(fixture.callee))[0]?.call).toMatchObject({
      direction: 'incoming',
      status: 'ringing',
      version: 1,
      server_time: '2026-01-31T08:00:00.000Z',
    });
    expect(await eventsOf(fixture.caller)).toEqual([]);
    expect(await eventsOf(fixture.stranger)).toEqual([]);
  });

  it('send an answer to both users, and stop the ringing on other terminals of the callee', async () => {
    const fixture = await createCall(test.api, 'accepted');
    expect(await eventsOf(fixture.caller)).toMatchObject([
      {
        id: 1,
        type: 'call.accepted',
        terminal_id: 'phone',
        call: { direction: 'outgoing', status: 'accepted', version: 2 },
      },
    ]);
    expect(await eventsOf(fixture.callee)).toMatchObject([
      { id: 1, type: 'call.ringing' },
      { id: 2, type: 'call.accepted', terminal_id: 'phone', call: { direction: 'incoming', version: 2 } },
      { id: 3, type: 'call.answered_elsewhere', terminal_id: 'phone', call: { call_id: fixture.id } },
    ]);
  });

  it('send a rejection to both users, and stop the ringing on other terminals of the callee', async () => {
    const fixture = await createCall(test.api);
    await fixture.perform(fixture.callee, 'reject', { terminal_id: 'desk', reason: 'later' });
    expect(await eventsOf(fixture.caller)).toMatchObject([
      { type: 'call.rejected', terminal_id: 'desk', call: { end_reason: 'later' } },
    ]);
    expect((await eventsOf(fixture.callee)).slice(1)).toMatchObject([
      { type: 'call.rejected', terminal_id: 'desk' },
      { type: 'call.declined_elsewhere', terminal_id: 'desk', call: { status: 'rejected' } },
    ]);
  });

  it('send an unanswered call as ended to both, and as missed once, from one sweeping instance', async () => {
    const fixture = await createCall(test.api);
    test.clock.advance(60);
    const deadlines = test.app.get(CallDeadlines);
    await Promise.all([deadlines.sweep(), deadlines.sweep(), deadlines.sweep()]);
    expect(await typesOf(fixture.caller)).toEqual(['call.ended']);
    expect(await typesOf(fixture.callee)).toEqual(['call.ringing', 'call.ended', 'call.missed']);
    expect((await eventsOf(fixture.callee))[1]?.call).toMatchObject({ end_reason: 'no_answer', version: 2 });
  });

  it('send ongoing once at the first media, and the end', async () => {
    const fixture = await createCall(test.api, 'ongoing');
    await fixture.perform(fixture.caller, 'media-state', { stage: 'joined' });
    await fixture.perform(fixture.caller, 'media-state', { stage: 'talking' });
    await fixture.perform(fixture.callee, 'hangup');
    await fixture.perform(fixture.caller, 'hangup');
    expect(await typesOf(fixture.caller)).toEqual(['call.accepted', 'call.ongoing', 'call.ended']);
    expect((await typesOf(fixture.callee)).slice(3)).toEqual(['call.ongoing', 'call.ended']);
  });

  it('send a missed call to a busy callee, whose call continues', async () => {
    const fixture = await createCall(test.api, 'accepted');
    const [otherId = 0] = newUserIds(1);
    const [other] = await createUsers(test.api, otherId);
    expect((await other?.post('/api/calls', { callee_id: fixture.calleeId }))?.body.code).toBe(41001);
    expect(await eventsOf(other ?? test.api)).toMatchObject([
      { type: 'call.ended', call: { end_reason: 'busy', direction: 'outgoing', missed: false } },
    ]);
    expect((await eventsOf(fixture.callee)).slice(3)).toMatchObject([
      { type: 'call.ended', call: { end_reason: 'busy', direction: 'incoming', missed: true } },
      { type: 'call.missed', call: { end_reason: 'busy' } },
    ]);
  });

  it('are not sent when nothing changes', async () => {
    const fixture = await createCall(test.api, 'accepted');
    const before = await eventsOf(fixture.callee);
    await fixture.perform(fixture.callee, 'accept', { terminal_id: 'phone' });
    await fixture.perform(fixture.callee, 'accept', { terminal_id: 'desk' });
    await fixture.perform(fixture.callee, 'reject');
    await fixture.perform(fixture.caller, 'cancel');
    await fixture.perform(fixture.stranger, 'hangup');
    await fixture.perform(fixture.caller, 'token');
    await fixture.caller.post('/api/calls', { callee_id: fixture.calleeId });
    expect(await eventsOf(fixture.callee)).toEqual(before);
    expect(await typesOf(fixture.caller)).toEqual(['call.accepted']);
  });

  it('are not sent again for a repeated request_id', async () => {
    const fixture = await createCall(test.api, 'ringing', { request_id: 'once' });
    await fixture.caller.post('/api/calls', { callee_id: fixture.calleeId, request_id: 'once' });
    expect(await typesOf(fixture.callee)).toEqual(['call.ringing']);
  });

  it('continue from the cursor of the active call', async () => {
    const fixture = await createCall(test.api);
    const active = await fixture.callee.get('/api/calls/active');
    expect(active.headers['x-event-cursor']).toBe('1');
    expect((await fixture.stranger.get('/api/calls/active')).headers['x-event-cursor']).toBe('0');
    await fixture.perform(fixture.callee, 'accept', { terminal_id: 'phone' });
    const { items } = (await fixture.callee.get('/api/events/poll?after=1')).body.data;
    expect(items.map(({ type }: Item) => type)).toEqual(['call.accepted', 'call.answered_elsewhere']);
  });

  it('are sent once of each type when 20 terminals answer concurrently, in 20 calls', async () => {
    for (let round = 0; round < 20; round += 1) {
      const fixture = await createCall(test.api);
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          fixture.perform(fixture.callee, 'accept', { terminal_id: `terminal-${index}` }),
        ),
      );
      expect(await typesOf(fixture.callee)).toEqual([
        'call.ringing',
        'call.accepted',
        'call.answered_elsewhere',
      ]);
      await fixture.perform(fixture.caller, 'hangup');
    }
  });
});
