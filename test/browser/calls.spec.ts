import type { Browser } from 'playwright-core';
import { turnCredential } from '../../src/calls/media/webrtc.provider';
import { newUserIds } from '../support/calls';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually, ServiceProcess } from '../support/service-process';
import { signToken } from '../support/tokens';
import { TURN_SECRET, TurnServer } from '../support/turn-server';
import { CallPage, type Counters, launchBrowser, PageServer } from './call-page';

/** Whether audio, and in a video call also video, has been received since `before`. */
const hasGrown = (type: 'audio' | 'video', before: Counters, now: Counters): boolean =>
  now.audioBytes > before.audioBytes &&
  (type === 'audio' || (now.frames > before.frames && now.videoBytes > before.videoBytes));

describe('Calls between two browsers', () => {
  let browser: Browser;
  let pages: PageServer;
  let turn: TurnServer;
  let database: TestDatabase;
  let service: ServiceProcess;
  let relaying: ServiceProcess;
  let alice: CallPage;
  let bob: CallPage;
  const opened: CallPage[] = [];

  beforeAll(async () => {
    [browser, pages, turn, database] = await Promise.all([
      launchBrowser(),
      PageServer.start(),
      TurnServer.start(),
      createTestDatabase(),
    ]);
    const env = { MEDIA_PROVIDER: 'webrtc', CORS_ORIGINS: pages.origin, ...turn.environment };
    service = await ServiceProcess.start(database.url, env);
    relaying = await ServiceProcess.start(database.url, { ...env, ICE_TRANSPORT_POLICY: 'relay' });
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.kill(), relaying?.kill(), pages?.stop(), turn?.stop()]);
    await database?.drop();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((page) => page.close()));
  });

  /** Opens a terminal for two users. Alice calls Bob, who accepts. Returns when media flow. */
  async function talk(type: 'audio' | 'video', on = service): Promise<void> {
    const [aliceId = 0, bobId = 0] = newUserIds(2);
    for (const id of [aliceId, bobId]) await on.send(id, 'GET', '/api/calls/active');
    const open = async (id: number): Promise<CallPage> => {
      const accessToken = await signToken({ sub: String(id) });
      const settings = { service: on.url, mediaType: type, accessToken, calleeId: bobId };
      return CallPage.open(browser, pages.origin, settings);
    };
    bob = await open(bobId);
    alice = await open(aliceId);
    opened.push(alice, bob);
    await alice.click('callButton');
    await bob.until('ringing');
    await bob.click('answerButton');
    await flow(type);
  }

  /** Waits until both terminals receive media, and returns their counters. */
  async function flow(type: 'audio' | 'video'): Promise<[Counters, Counters]> {
    const [first, second] = await Promise.all(
      [alice, bob].map(async (page) => {
        const before = await page.until('in call');
        const now = await eventually(page.counters, (counters) => hasGrown(type, before, counters));
        if (!hasGrown(type, before, now)) throw new Error(`Nothing comes in: ${JSON.stringify(now)}`);
        return now;
      }),
    );
    if (first === undefined || second === undefined) throw new Error('Two terminals take part');
    return [first, second];
  }

  const statusOf = (page: CallPage): Promise<{ status: string; end_reason: string | null }> =>
    page.evaluate(
      "terminal.api.get('/calls/' + terminal.call.id).then(({ data: { status, end_reason } }) => ({ status, end_reason }))",
    );

  it('connect both sides with audio and video until one hangs up', async () => {
    await talk('video');
    const [first, second] = await flow('video');
    expect([first.candidateType, second.candidateType]).not.toContain('relay');
    expect([...first.problems, ...second.problems]).toEqual([]);
    expect(
      await eventually(
        () => statusOf(alice),
        ({ status }) => status === 'ongoing',
      ),
    ).toEqual({
      status: 'ongoing',
      end_reason: null,
    });
    await bob.click('hangUpButton');
    await alice.until('idle');
    expect(await statusOf(alice)).toEqual({ status: 'ended', end_reason: 'local_hangup' });
    expect(await alice.evaluate('terminal.call.endReason')).toBe('local_hangup');
  });

  it('send only audio in an audio call', async () => {
    await talk('audio');
    const [first, second] = await flow('audio');
    expect([first.frames, second.frames, first.videoBytes, second.videoBytes]).toEqual([0, 0, 0, 0]);
  });

  it('connect through the TURN server alone, with the credentials of their tokens', async () => {
    await talk('video', relaying);
    const [first, second] = await flow('video');
    expect([first.candidateType, second.candidateType]).toEqual(['relay', 'relay']);
  });

  it.each([
    ['caller has', () => [alice]],
    ['callee has', () => [bob]],
    ['caller and the callee have', () => [alice, bob]],
  ])('resume after the %s reloads the page', async (_, who) => {
    await talk('video');
    const { session } = await alice.counters();
    await Promise.all(who().map((page) => page.reload()));
    // A page that was not reloaded keeps its old connection, which receives nothing, until it has a new session.
    const hasNewSession = (now: Counters): boolean => now.session !== undefined && now.session !== session;
    for (const page of [alice, bob]) await eventually(page.counters, hasNewSession);
    const [first, second] = await flow('video');
    expect(hasNewSession(first)).toBe(true);
    expect(second.session).toBe(first.session);
  });

  it('survive simultaneous ICE restarts', async () => {
    await talk('video');
    const before = await alice.counters();
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([alice, bob].map((page) => page.evaluate('terminal.restart()')));
      await flow('video');
    }
    const [first, second] = await flow('video');
    // The connection is the same one.
    expect([first.session, second.session]).toEqual([before.session, before.session]);
    expect([...first.problems, ...second.problems]).toEqual([]);
  });

  it('are relayed only with the current credentials of a token', async () => {
    await talk('audio');
    const token = await alice.evaluate<string>(
      "terminal.api.post('/calls/' + terminal.call.id + '/token').then(({ rtc_token }) => rtc_token)",
    );
    const turnServer = (JSON.parse(token) as { iceServers: IceServer[] }).iceServers.at(-1);
    if (turnServer === undefined) throw new Error('The token has no server');
    const { username } = turnServer;
    const [expiry = '', user = ''] = username.split(':');
    const past = `${Number(expiry) - 7_200}:${user}`;
    const ways = async (changes: Partial<IceServer>): Promise<string[]> => {
      const server = { ...turnServer, ...changes };
      return alice.evaluate<string[]>(`relayCandidates(${JSON.stringify(server)})`);
    };
    expect(await ways({})).toEqual(['relay']);
    expect(await ways({ credential: turnCredential('another secret', username) })).toEqual([]);
    expect(await ways({ username: `${Number(expiry) + 3_600}:${user}` })).toEqual([]);
    expect(await ways({ username: past, credential: turnCredential(TURN_SECRET, past) })).toEqual([]);
  });
});

interface IceServer {
  urls: string[];
  username: string;
  credential: string;
}
