import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import { DomainEventReader } from '../support/domain-events';
import type { ApiClient } from '../support/api-client';
import { createCall, type CallFixture, createUsers, newUserIds, type Stage } from '../support/calls';
import { createAgoraCall, LEAVE } from '../support/media-calls';
import { AGORA_SECRET } from '../support/media-webhooks';
import { createTestApp, type TestApp } from '../support/test-app';

const CREATED = 'call.created';
const ANSWERED = 'call.answered';
const ENDED = 'call.ended';

describe('The domain events of a call', () => {
  let test: TestApp;
  let reader: DomainEventReader;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp({
      env: { AGORA_WEBHOOK_SECRET: AGORA_SECRET, CALL_MAX_DURATION_SECONDS: '600' },
    });
    reader = await DomainEventReader.open(test);
    admin = await test.api.as({ id: 1, role: 'admin' });
  });
  afterAll(() => test?.close());

  const sweep = (): Promise<void> => test.app.get(CallDeadlines).sweep();
  const typesOf = ({ id }: Pick<CallFixture, 'id'>): Promise<string[]> => reader.typesOf(`call:${id}`);

  it.each<[string, (fixture: CallFixture) => Promise<unknown>, Stage, string[]]>([
    ['that nobody answers', () => sweepAfter(60), 'ringing', [CREATED, ENDED]],
    ['that lasts too long', () => sweepAfter(600), 'accepted', [CREATED, ANSWERED, ENDED]],
    ['that is found to be over', (fixture) => readAfter(60, fixture), 'ringing', [CREATED, ENDED]],
    ['that an administrator ends', endByAdmin, 'ongoing', [CREATED, ANSWERED, ENDED]],
    ['that an administrator ends while it rings', endByAdmin, 'ringing', [CREATED, ENDED]],
    ['whose media begin while it rings', joined, 'ringing', [CREATED]],
    ['that is ended again and again', hangUpByBoth, 'ongoing', [CREATED, ANSWERED, ENDED]],
    ['that one terminal answers again', repeatAnswer, 'accepted', [CREATED, ANSWERED]],
  ])('%s are each recorded once', async (_, happen, stage, expected) => {
    const fixture = await createCall(test.api, stage);
    await happen(fixture);
    expect(await typesOf(fixture)).toEqual(expected);
  });

  async function sweepAfter(seconds: number): Promise<void> {
    test.clock.advance(seconds);
    await sweep();
  }

  async function readAfter(seconds: number, fixture: CallFixture): Promise<void> {
    test.clock.advance(seconds);
    await Promise.all([fixture.record(), fixture.callee.get('/api/calls/active'), sweep()]);
  }

  async function endByAdmin({ id }: CallFixture): Promise<void> {
    for (let time = 0; time < 2; time += 1) await admin.post(`/api/admin/calls/${id}/end`);
  }

  async function joined(fixture: CallFixture): Promise<void> {
    await fixture.perform(fixture.caller, 'media-state', { stage: 'joined' });
  }

  async function hangUpByBoth(fixture: CallFixture): Promise<void> {
    const { caller, callee } = fixture;
    await Promise.all([caller, callee, caller, callee].map((who) => fixture.perform(who, 'hangup')));
  }

  async function repeatAnswer(fixture: CallFixture): Promise<void> {
    for (const terminal_id of ['phone', 'tablet'])
      await fixture.perform(fixture.callee, 'accept', { terminal_id });
    await fixture.perform(fixture.callee, 'media-state', { terminal_id: 'phone', stage: 'connecting' });
  }

  it('with lost media are each recorded once', async () => {
    const { scene: fixture, tell, caller } = await createAgoraCall(test, 'ongoing');
    for (const clientSeq of [5, 6]) await tell(LEAVE, { uid: caller, reason: 1, clientSeq });
    expect(await typesOf(fixture)).toEqual([CREATED, ANSWERED, ENDED]);
  });

  it('to a busy callee are only its end', async () => {
    const { calleeId } = await createCall(test.api, 'accepted');
    const [callerId = 0] = newUserIds(1);
    const [caller] = await createUsers(test.api, callerId);
    const body = { callee_id: calleeId, request_id: 'busy' };
    for (let time = 0; time < 2; time += 1)
      expect((await caller?.post('/api/calls', body))?.body.code).toBe(41_001);
    const ended = (await reader.all()).filter(
      ({ payload }) => (payload as { call?: { caller: { id: number } } }).call?.caller.id === callerId,
    );
    expect(ended).toMatchObject([
      {
        type: ENDED,
        payload: { call: { status: 'ended', end_reason: 'busy', missed: true, duration: 0, version: 1 } },
      },
    ]);
  });

  it('with a repeated request are recorded once', async () => {
    const [callerId = 0, calleeId = 0] = newUserIds(2);
    const [caller] = await createUsers(test.api, callerId, calleeId);
    const body = { callee_id: calleeId, request_id: 'again' };
    const responses = await Promise.all([1, 2, 3].map(() => (caller as ApiClient).post('/api/calls', body)));
    const ids = new Set(responses.map((response) => response.body.data.call_id as number));
    expect(ids.size).toBe(1);
    for (const id of ids) expect(await typesOf({ id })).toEqual([CREATED]);
  });

  it('contain its current state, independently of a side', async () => {
    const fixture = await createCall(test.api, 'ringing', { media_type: 'video' });
    const { id, callerId, calleeId } = fixture;
    const at = test.clock.now();
    test.clock.advance(7);
    await fixture.perform(fixture.callee, 'reject', { reason: 'dinner' });
    const recorded = await reader.eventsOf(`call:${id}`);
    const expected = {
      call_id: id,
      media_type: 'video',
      status: 'rejected',
      end_reason: 'dinner',
      ended_by: calleeId,
      version: 2,
      caller: { id: callerId, name: `User ${callerId}`, avatar: null },
      callee: { id: calleeId, name: `User ${calleeId}`, avatar: null },
      channel_name: expect.stringMatching(/^call-[0-9a-f-]{36}$/) as string,
      created_at: at.toISOString(),
      ring_expires_at: new Date(at.getTime() + 60_000).toISOString(),
      accepted_at: null,
      started_at: null,
      ended_at: new Date(at.getTime() + 7_000).toISOString(),
      duration: 0,
      missed: false,
      caller_uid: expect.stringMatching(/^\d+$/) as string,
      callee_uid: expect.stringMatching(/^\d+$/) as string,
    };
    expect(recorded.at(-1)).toEqual({
      traceparent: null,
      eventId: expect.stringMatching(/^msg_[0-9a-f]{32}$/) as string,
      type: ENDED,
      subject: `call:${id}`,
      payload: { call: expected },
      at: new Date(at.getTime() + 7_000),
    });
    const before = { status: 'ringing', end_reason: null, ended_by: null, ended_at: null, version: 1 };
    expect(recorded[0]?.payload).toEqual({ call: { ...expected, ...before } });
    expect(new Set(recorded.map(({ eventId }) => eventId)).size).toBe(2);
  });

  it('that is rejected are none', async () => {
    const [callerId = 0] = newUserIds(1);
    const [caller] = await createUsers(test.api, callerId);
    const before = (await reader.all()).length;
    for (const callee_id of [callerId, 987_654]) await caller?.post('/api/calls', { callee_id });
    const fixture = await createCall(test.api);
    for (const name of ['accept', 'reject', 'cancel', 'hangup'])
      await fixture.perform(fixture.stranger, name, {});
    expect(await typesOf(fixture)).toEqual([CREATED]);
    const more = (await reader.all()).slice(before).filter(({ type }) => type !== 'user.created');
    expect(more.map(({ type }) => type)).toEqual([CREATED]);
  });
});
