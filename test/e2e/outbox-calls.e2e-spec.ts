import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import { ActReader } from '../support/acts';
import type { ApiClient } from '../support/api-client';
import { aCall, type CallScene, meet, newUserIds, type Stage } from '../support/calls';
import { aCallInChannel, LEAVE } from '../support/media-calls';
import { AGORA_SECRET } from '../support/media-notices';
import { createTestApp, type TestApp } from '../support/test-app';

const CREATED = 'call.created';
const ANSWERED = 'call.answered';
const ENDED = 'call.ended';

describe('The acts of a call', () => {
  let test: TestApp;
  let acts: ActReader;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp({
      env: { AGORA_WEBHOOK_SECRET: AGORA_SECRET, CALL_MAX_DURATION_SECONDS: '600' },
    });
    acts = await ActReader.open(test);
    admin = await test.api.as({ id: 1, role: 'admin' });
  });
  afterAll(() => test?.close());

  const sweep = (): Promise<void> => test.app.get(CallDeadlines).sweep();
  const typesOf = ({ id }: Pick<CallScene, 'id'>): Promise<string[]> => acts.typesAbout(`call:${id}`);

  it.each<[string, Stage, string[]]>([
    ['that rings', 'ringing', [CREATED]],
    ['that is declined', 'rejected', [CREATED, ENDED]],
    ['that its caller takes back', 'cancelled', [CREATED, ENDED]],
    ['that is answered', 'accepted', [CREATED, ANSWERED]],
    ['whose media have begun', 'ongoing', [CREATED, ANSWERED]],
    ['that is hung up', 'ended', [CREATED, ANSWERED, ENDED]],
  ])('%s are each told once', async (_, stage, expected) => {
    expect(await typesOf(await aCall(test.api, stage))).toEqual(expected);
  });

  it.each<[string, (scene: CallScene) => Promise<unknown>, Stage, string[]]>([
    ['that nobody answers', () => sweepAfter(60), 'ringing', [CREATED, ENDED]],
    ['that lasts too long', () => sweepAfter(600), 'accepted', [CREATED, ANSWERED, ENDED]],
    ['that is found to be over', (scene) => lookAfter(60, scene), 'ringing', [CREATED, ENDED]],
    ['that an administrator ends', endedByAdmin, 'ongoing', [CREATED, ANSWERED, ENDED]],
    ['that an administrator ends while it rings', endedByAdmin, 'ringing', [CREATED, ENDED]],
    ['whose media begin while it rings', joined, 'ringing', [CREATED]],
    ['that is ended again and again', hungUpByBoth, 'ongoing', [CREATED, ANSWERED, ENDED]],
    ['that one terminal answers again', answeredAgain, 'accepted', [CREATED, ANSWERED]],
  ])('%s are each told once', async (_, happen, stage, expected) => {
    const scene = await aCall(test.api, stage);
    await happen(scene);
    expect(await typesOf(scene)).toEqual(expected);
  });

  async function sweepAfter(seconds: number): Promise<void> {
    test.clock.advance(seconds);
    await sweep();
  }

  async function lookAfter(seconds: number, scene: CallScene): Promise<void> {
    test.clock.advance(seconds);
    await Promise.all([scene.record(), scene.callee.get('/api/calls/active'), sweep()]);
  }

  async function endedByAdmin({ id }: CallScene): Promise<void> {
    for (let time = 0; time < 2; time += 1) await admin.post(`/api/admin/calls/${id}/end`);
  }

  async function joined(scene: CallScene): Promise<void> {
    await scene.act(scene.caller, 'media-state', { stage: 'joined' });
  }

  async function hungUpByBoth(scene: CallScene): Promise<void> {
    const { caller, callee } = scene;
    await Promise.all([caller, callee, caller, callee].map((who) => scene.act(who, 'hangup')));
  }

  async function answeredAgain(scene: CallScene): Promise<void> {
    for (const terminal_id of ['phone', 'tablet']) await scene.act(scene.callee, 'accept', { terminal_id });
    await scene.act(scene.callee, 'media-state', { terminal_id: 'phone', stage: 'connecting' });
  }

  it('whose media are gone are each told once', async () => {
    const { scene, tell, caller } = await aCallInChannel(test, 'ongoing');
    for (const clientSeq of [5, 6]) await tell(LEAVE, { uid: caller, reason: 1, clientSeq });
    expect(await typesOf(scene)).toEqual([CREATED, ANSWERED, ENDED]);
  });

  it('of a busy callee are the end alone', async () => {
    const { calleeId } = await aCall(test.api, 'accepted');
    const [callerId = 0] = newUserIds(1);
    const [caller] = await meet(test.api, callerId);
    const body = { callee_id: calleeId, request_id: 'busy' };
    for (let time = 0; time < 2; time += 1)
      expect((await caller?.post('/api/calls', body))?.body.code).toBe(41_001);
    const ended = (await acts.all()).filter(
      ({ payload }) => (payload as { call?: { caller: { id: number } } }).call?.caller.id === callerId,
    );
    expect(ended).toMatchObject([
      {
        type: ENDED,
        payload: { call: { status: 'ended', end_reason: 'busy', missed: true, duration: 0, version: 1 } },
      },
    ]);
  });

  it('of a request that is repeated are told once', async () => {
    const [callerId = 0, calleeId = 0] = newUserIds(2);
    const [caller] = await meet(test.api, callerId, calleeId);
    const body = { callee_id: calleeId, request_id: 'again' };
    const answers = await Promise.all([1, 2, 3].map(() => (caller as ApiClient).post('/api/calls', body)));
    const ids = new Set(answers.map((answer) => answer.body.data.call_id as number));
    expect(ids.size).toBe(1);
    for (const id of ids) expect(await typesOf({ id })).toEqual([CREATED]);
  });

  it('bring the call as it is then, from neither side', async () => {
    const scene = await aCall(test.api, 'ringing', { media_type: 'video' });
    const { id, callerId, calleeId } = scene;
    const at = test.clock.now();
    test.clock.advance(7);
    await scene.act(scene.callee, 'reject', { reason: 'dinner' });
    const told = await acts.about(`call:${id}`);
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
    expect(told.at(-1)).toEqual({
      eventId: expect.stringMatching(/^msg_[0-9a-f]{32}$/) as string,
      type: ENDED,
      subject: `call:${id}`,
      payload: { call: expected },
      at: new Date(at.getTime() + 7_000),
    });
    const before = { status: 'ringing', end_reason: null, ended_by: null, ended_at: null, version: 1 };
    expect(told[0]?.payload).toEqual({ call: { ...expected, ...before } });
    expect(new Set(told.map(({ eventId }) => eventId)).size).toBe(2);
  });

  it('of a call that is refused are none', async () => {
    const [callerId = 0] = newUserIds(1);
    const [caller] = await meet(test.api, callerId);
    const before = (await acts.all()).length;
    for (const callee_id of [callerId, 987_654]) await caller?.post('/api/calls', { callee_id });
    const scene = await aCall(test.api);
    for (const name of ['accept', 'reject', 'cancel', 'hangup']) await scene.act(scene.stranger, name, {});
    expect(await typesOf(scene)).toEqual([CREATED]);
    const more = (await acts.all()).slice(before).filter(({ type }) => type !== 'user.created');
    expect(more.map(({ type }) => type)).toEqual([CREATED]);
  });
});
