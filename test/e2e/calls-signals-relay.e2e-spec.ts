import { EventReader } from '../support/event-reader';
import {
  ANSWER,
  createOffer,
  createSignallingCall,
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

  it('are sent only to the other user, with the terminal in the call', async () => {
    const fixture = await createSignallingCall(test.api);
    const sent = {
      signal_id: 'a',
      session_id: 's',
      description: { ...OFFER, extra: 'dropped' },
      candidates: [{ ...CANDIDATE, foundation: 'dropped' }, { candidate: '' }],
    };
    const response = await fixture.signal('caller', sent);
    expect([response.status, response.body]).toEqual([200, DONE]);
    expect(await signalsOf(fixture.callee)).toEqual([
      {
        type: 'call.signal',
        created_at: '2026-01-31T08:00:00.000Z',
        call_id: fixture.id,
        terminal_id: 'phone',
        signal_id: 'a',
        session_id: 's',
        description: OFFER,
        candidates: [CANDIDATE, { candidate: '', sdpMid: null, sdpMLineIndex: null, usernameFragment: null }],
      },
    ]);
    expect(await signalsOf(fixture.caller)).toEqual([]);
    expect(await signalsOf(fixture.stranger)).toEqual([]);
  });

  it('are delivered in both directions, in the order in which they were sent', async () => {
    const fixture = await createSignallingCall(test.api, 'ongoing');
    await fixture.signal('caller', createOffer({ signal_id: '1' }));
    await fixture.signal('callee', { signal_id: '1', session_id: 'session-1', description: ANSWER });
    await fixture.signal('caller', { signal_id: '2', session_id: 'session-1', candidates: [CANDIDATE] });
    await fixture.signal('callee', { signal_id: '2', session_id: 'session-1', candidates: [CANDIDATE] });
    const seenBy = async (who: 'caller' | 'callee') =>
      (await signalsOf(fixture[who])).map(({ signal_id, terminal_id, description, candidates }) => [
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

  it('of a callee may omit the session, to request an offer', async () => {
    const fixture = await createSignallingCall(test.api);
    expect((await fixture.signal('callee', { signal_id: 'greeting' })).body).toEqual(DONE);
    expect(await signalsOf(fixture.caller)).toMatchObject([
      { signal_id: 'greeting', session_id: null, description: null, candidates: [] },
    ]);
    expect((await fixture.signal('callee', { signal_id: 'b', candidates: [] })).body).toEqual(DONE);
    expect((await fixture.signal('caller', { signal_id: 'greeting' })).body).toEqual({
      code: 422,
      message: 'session_id 字段不能为空',
      data: null,
    });
  });

  it('of unnamed terminals are addressed to them', async () => {
    const fixture = await createSignallingCall(test.api, 'ringing', { terminal_id: undefined });
    await fixture.perform(fixture.callee, 'accept');
    expect((await fixture.perform(fixture.caller, 'signals', createOffer())).body).toEqual(DONE);
    expect((await fixture.perform(fixture.callee, 'signals', { signal_id: 'x' })).body).toEqual(DONE);
    expect(await signalsOf(fixture.callee)).toMatchObject([{ terminal_id: '' }]);
    expect(await signalsOf(fixture.caller)).toMatchObject([{ terminal_id: '' }]);
  });

  it('are accepted from any terminal of a caller whose terminal was not stored, and sent to all', async () => {
    const fixture = await createSignallingCall(test.api);
    await test.query(`UPDATE calls SET caller_terminal_id = NULL WHERE id = ${fixture.id}`);
    expect((await fixture.signal('caller', createOffer({ terminal_id: 'any' }))).body).toEqual(DONE);
    await fixture.signal('callee', { signal_id: 'x' });
    expect(await signalsOf(fixture.caller)).toMatchObject([{ terminal_id: null, signal_id: 'x' }]);
  });

  describe('when repeated', () => {
    it('change nothing: absent and null parts are equal, and the terminal does not count', async () => {
      const fixture = await createSignallingCall(test.api);
      await test.query(`UPDATE calls SET caller_terminal_id = NULL WHERE id = ${fixture.id}`);
      const sent = { signal_id: 'again', session_id: 's', candidates: [{ candidate: 'c', sdpMid: null }] };
      for (const same of [
        sent,
        { ...sent, description: null },
        { ...sent, candidates: [{ candidate: 'c', other: 1 }] },
        { ...sent, terminal_id: 'another' },
      ])
        expect((await fixture.signal('caller', same)).body).toEqual(DONE);
      expect(await signalsOf(fixture.callee)).toHaveLength(1);
    });

    it('are rejected with other content, byte for byte', async () => {
      const fixture = await createSignallingCall(test.api);
      await fixture.signal('caller', createOffer({ signal_id: 'id', session_id: 's' }));
      for (const other of [{ session_id: 'S' }, { description: ANSWER }, { candidates: [CANDIDATE] }]) {
        const response = await fixture.signal(
          'caller',
          createOffer({ signal_id: 'id', session_id: 's', ...other }),
        );
        expect([response.status, response.body]).toEqual([
          409,
          { code: 409, message: '请求标识已被使用', data: null },
        ]);
      }
      expect(
        (await fixture.signal('caller', createOffer({ signal_id: 'ID', session_id: 's' }))).body,
      ).toEqual(DONE);
      expect(await signalsOf(fixture.callee)).toHaveLength(2);
    });

    it('arrive once each when both users send concurrently, one of them twenty times', async () => {
      const fixture = await createSignallingCall(test.api);
      const offer = createOffer({ signal_id: 'same' });
      const responses = await Promise.all([
        ...Array.from({ length: 20 }, () => fixture.signal('caller', offer)),
        fixture.signal('callee', offer),
      ]);
      expect(responses.map(({ body }) => body.code)).toEqual(Array.from({ length: 21 }, () => 0));
      expect(await signalsOf(fixture.callee)).toHaveLength(1);
      expect(await signalsOf(fixture.caller)).toHaveLength(1);
    });
  });

  it('that were missed are delivered once and in order when the stream resumes', async () => {
    await test.app.listen(0, '127.0.0.1');
    const url = await test.app.getUrl();
    const fixture = await createSignallingCall(test.api);
    const before = (await fixture.callee.get('/api/calls/active')).headers['x-event-cursor'] as string;
    const signalIds = Array.from({ length: 150 }, (_, index) => `signal ${index}`);
    for (const signal_id of signalIds.slice(0, 100))
      await fixture.signal('caller', createOffer({ signal_id }));
    const reader = await EventReader.open(url, { userId: fixture.calleeId, lastEventId: before });
    await reader.atLeast(100);
    reader.close();
    for (const signal_id of signalIds.slice(100)) await fixture.signal('caller', createOffer({ signal_id }));
    const resumed = await EventReader.open(url, { userId: fixture.calleeId, lastEventId: reader.ids.at(-1) });
    await resumed.atLeast(50);
    resumed.close();
    const received = [...reader.frames, ...resumed.frames];
    expect(received.map(({ data }) => data.signal_id)).toEqual(signalIds);
    expect(received.every(({ data }) => data.description.sdp === OFFER.sdp)).toBe(true);
  });

  it('are returned by the poll in pages of sixty-four', async () => {
    const fixture = await createSignallingCall(test.api);
    const { next_after } = (await fixture.callee.get('/api/events/poll?limit=500')).body.data;
    for (let count = 0; count < 70; count += 1) await fixture.signal('caller', createOffer());
    const first = (await fixture.callee.get(`/api/events/poll?after=${next_after}&limit=500`)).body.data;
    expect(first.items).toHaveLength(64);
    const second = (await fixture.callee.get(`/api/events/poll?after=${first.next_after}&limit=500`)).body
      .data;
    expect(second.items).toHaveLength(6);
    expect(second.next_after).toBe(next_after + 70);
  });
});
