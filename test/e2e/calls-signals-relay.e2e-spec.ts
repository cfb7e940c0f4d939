import { EventReader } from '../support/event-reader';
import {
  ANSWER,
  anOffer,
  aSignallingCall,
  CANDIDATE,
  createWebrtcApp,
  DONE,
  OFFER,
  signalsOf,
} from '../support/signals';
import { START, type TestApp } from '../support/test-app';

describe('Signals', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createWebrtcApp();
  });
  beforeEach(() => test.clock.set(START));
  afterAll(() => test?.close());

  it('reach the other user, with the terminal that is in the call, and nobody else', async () => {
    const scene = await aSignallingCall(test.api);
    const sent = {
      signal_id: 'a',
      session_id: 's',
      description: { ...OFFER, extra: 'dropped' },
      candidates: [{ ...CANDIDATE, foundation: 'dropped' }, { candidate: '' }],
    };
    const answer = await scene.signal('caller', sent);
    expect([answer.status, answer.body]).toEqual([200, DONE]);
    expect(await signalsOf(scene.callee)).toEqual([
      {
        type: 'call.signal',
        created_at: '2026-01-31T08:00:00.000Z',
        call_id: scene.id,
        terminal_id: 'phone',
        signal_id: 'a',
        session_id: 's',
        description: OFFER,
        candidates: [CANDIDATE, { candidate: '', sdpMid: null, sdpMLineIndex: null, usernameFragment: null }],
      },
    ]);
    expect(await signalsOf(scene.caller)).toEqual([]);
    expect(await signalsOf(scene.stranger)).toEqual([]);
  });

  it('go both ways, in the order in which they were sent', async () => {
    const scene = await aSignallingCall(test.api, 'ongoing');
    await scene.signal('caller', anOffer({ signal_id: '1' }));
    await scene.signal('callee', { signal_id: '1', session_id: 'session-1', description: ANSWER });
    await scene.signal('caller', { signal_id: '2', session_id: 'session-1', candidates: [CANDIDATE] });
    await scene.signal('callee', { signal_id: '2', session_id: 'session-1', candidates: [CANDIDATE] });
    const seenBy = async (who: 'caller' | 'callee') =>
      (await signalsOf(scene[who])).map(({ signal_id, terminal_id, description, candidates }) => [
        signal_id,
        terminal_id,
        (description as { type: string } | null)?.type ?? null,
        (candidates as unknown[]).length,
      ]);
    expect(await seenBy('callee')).toEqual([
      ['1', 'phone', 'offer', 0],
      ['2', 'phone', null, 1],
    ]);
    expect(await seenBy('caller')).toEqual([
      ['1', 'desk', 'answer', 0],
      ['2', 'desk', null, 1],
    ]);
  });

  it('of a callee alone may be without a connection: they ask for an offer', async () => {
    const scene = await aSignallingCall(test.api);
    expect((await scene.signal('callee', { signal_id: 'greeting' })).body).toEqual(DONE);
    expect(await signalsOf(scene.caller)).toMatchObject([
      { signal_id: 'greeting', session_id: null, description: null, candidates: [] },
    ]);
    expect((await scene.signal('callee', { signal_id: 'b', candidates: [] })).body).toEqual(DONE);
    expect((await scene.signal('caller', { signal_id: 'greeting' })).body).toEqual({
      code: 422,
      message: 'session_id 字段不能为空',
      data: null,
    });
  });

  it('do not change the call', async () => {
    const scene = await aSignallingCall(test.api);
    const before = await scene.record();
    await scene.signal('caller', anOffer());
    expect(await scene.record()).toEqual(before);
  });

  it('of the nameless terminals are for them', async () => {
    const scene = await aSignallingCall(test.api, 'ringing', { terminal_id: undefined });
    await scene.act(scene.callee, 'accept');
    expect((await scene.act(scene.caller, 'signals', anOffer())).body).toEqual(DONE);
    expect((await scene.act(scene.callee, 'signals', { signal_id: 'x' })).body).toEqual(DONE);
    expect(await signalsOf(scene.callee)).toMatchObject([{ terminal_id: '' }]);
    expect(await signalsOf(scene.caller)).toMatchObject([{ terminal_id: '' }]);
  });

  it('of a call whose caller’s terminal nobody kept are taken from any of them, and reach all', async () => {
    const scene = await aSignallingCall(test.api);
    await test.query(`UPDATE calls SET caller_terminal_id = NULL WHERE id = ${scene.id}`);
    expect((await scene.signal('caller', anOffer({ terminal_id: 'any' }))).body).toEqual(DONE);
    await scene.signal('callee', { signal_id: 'x' });
    expect(await signalsOf(scene.caller)).toMatchObject([{ terminal_id: null, signal_id: 'x' }]);
  });

  describe('sent again', () => {
    it('change nothing: absent and null parts are alike, and the terminal is no part of it', async () => {
      const scene = await aSignallingCall(test.api);
      await test.query(`UPDATE calls SET caller_terminal_id = NULL WHERE id = ${scene.id}`);
      const sent = { signal_id: 'again', session_id: 's', candidates: [{ candidate: 'c', sdpMid: null }] };
      for (const same of [
        sent,
        { ...sent, description: null },
        { ...sent, candidates: [{ candidate: 'c', other: 1 }] },
        { ...sent, terminal_id: 'another' },
      ])
        expect((await scene.signal('caller', same)).body).toEqual(DONE);
      expect(await signalsOf(scene.callee)).toHaveLength(1);
    });

    it('with another content are refused, byte for byte', async () => {
      const scene = await aSignallingCall(test.api);
      await scene.signal('caller', anOffer({ signal_id: 'id', session_id: 's' }));
      for (const other of [{ session_id: 'S' }, { description: ANSWER }, { candidates: [CANDIDATE] }]) {
        const answer = await scene.signal('caller', anOffer({ signal_id: 'id', session_id: 's', ...other }));
        expect([answer.status, answer.body]).toEqual([
          409,
          { code: 409, message: '请求标识已被使用', data: null },
        ]);
      }
      expect((await scene.signal('caller', anOffer({ signal_id: 'ID', session_id: 's' }))).body).toEqual(
        DONE,
      );
      expect(await signalsOf(scene.callee)).toHaveLength(2);
    });

    it('by both users at once, and by one twenty times at once, arrive once each', async () => {
      const scene = await aSignallingCall(test.api);
      const offer = anOffer({ signal_id: 'same' });
      const answers = await Promise.all([
        ...Array.from({ length: 20 }, () => scene.signal('caller', offer)),
        scene.signal('callee', offer),
      ]);
      expect(answers.map(({ body }) => body.code)).toEqual(Array.from({ length: 21 }, () => 0));
      expect(await signalsOf(scene.callee)).toHaveLength(1);
      expect(await signalsOf(scene.caller)).toHaveLength(1);
    });
  });

  it('that were missed come when the stream is resumed, in order and once', async () => {
    await test.app.listen(0, '127.0.0.1');
    const url = await test.app.getUrl();
    const scene = await aSignallingCall(test.api);
    const before = (await scene.callee.get('/api/calls/active')).headers['x-event-cursor'] as string;
    const signalIds = Array.from({ length: 150 }, (_, index) => `signal ${index}`);
    for (const signal_id of signalIds.slice(0, 100)) await scene.signal('caller', anOffer({ signal_id }));
    const reader = await EventReader.open(url, { userId: scene.calleeId, lastEventId: before });
    await reader.atLeast(100);
    reader.close();
    for (const signal_id of signalIds.slice(100)) await scene.signal('caller', anOffer({ signal_id }));
    const resumed = await EventReader.open(url, { userId: scene.calleeId, lastEventId: reader.ids.at(-1) });
    await resumed.atLeast(50);
    resumed.close();
    const heard = [...reader.frames, ...resumed.frames];
    expect(heard.map(({ data }) => data.signal_id)).toEqual(signalIds);
    expect(heard.every(({ data }) => data.description.sdp === OFFER.sdp)).toBe(true);
  });

  it('come in the pages of a poll, sixty-four at a time', async () => {
    const scene = await aSignallingCall(test.api);
    const { next_after } = (await scene.callee.get('/api/events/poll?limit=500')).body.data;
    for (let count = 0; count < 70; count += 1) await scene.signal('caller', anOffer());
    const first = (await scene.callee.get(`/api/events/poll?after=${next_after}&limit=500`)).body.data;
    expect(first.items).toHaveLength(64);
    const second = (await scene.callee.get(`/api/events/poll?after=${first.next_after}&limit=500`)).body.data;
    expect(second.items).toHaveLength(6);
    expect(second.next_after).toBe(next_after + 70);
  });
});
