import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../../../../test/browser/call-page.js';
import { eventually } from '../../../../test/support/service-process.js';
import type { CallSession, CallTerminal } from '../../src/calls/index.js';
import type { Callboard } from '../../src/index.js';
import { BuiltPackage } from '../support/built-package.js';
import { PASSWORD, PeopleOfService } from '../support/people.js';
import { exampleOf } from '../support/readme.js';
import { Site } from './tabs.js';

/** Globals of the test pages (`Site.open`, `signIn`). */
interface Shared {
  core: typeof import('../../src/index.js');
  calls: typeof import('../../src/calls/index.js');
  client: Callboard;
  terminal: CallTerminal;
}

/** Calls with the built-in provider, in Chromium with fake cameras and microphones. */
describe('Calls between two users of the package', () => {
  let built: BuiltPackage;
  let people: PeopleOfService;
  let site: Site;
  let browser: Browser;
  let contexts: BrowserContext[] = [];
  beforeAll(async () => {
    [built, people, browser] = await Promise.all([
      BuiltPackage.make(),
      PeopleOfService.start(),
      launchBrowser(),
    ]);
    site = await Site.start(people.service.url, built.dist);
  });
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    contexts = [];
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([people?.stop(), site?.stop()]);
    built?.remove();
  });

  const newContext = async (): Promise<BrowserContext> => {
    const context = await browser.newContext();
    contexts.push(context);
    return context;
  };

  async function signIn(page: Page, account: string): Promise<Page> {
    await page.evaluate(
      async ([name, password]) => {
        const shared = globalThis as unknown as Shared;
        const client = new shared.core.Callboard({ store: shared.core.memoryStore() });
        await client.session.logIn(name, password);
        const terminal = new shared.calls.CallTerminal(client);
        terminal.subscribe(() => {
          const video = document.querySelector('video');
          const stream = terminal.getSession()?.remote ?? null;
          if (video && video.srcObject !== stream) video.srcObject = stream;
        });
        Object.assign(shared, { client, terminal });
        await new Promise<void>((resolve) => {
          client.events.subscribe({ onState: (state) => state === 'live' && resolve() });
        });
      },
      [account, PASSWORD] as const,
    );
    return page;
  }

  const arrive = async (account: string, context?: BrowserContext): Promise<Page> =>
    signIn(await site.open(context ?? (await newContext())), account);

  const stateOf = (page: Page): Promise<[state: string | undefined, reason: string | null | undefined]> =>
    page.evaluate(() => {
      const session = (globalThis as unknown as Shared).terminal.getSession();
      return [session?.state, session?.endReason];
    });
  async function until(page: Page, state: string): Promise<string | null | undefined> {
    const [now, reason] = await eventually(
      () => stateOf(page),
      ([present]) => present === state,
    );
    expect(now).toBe(state);
    return reason;
  }
  /** Calls a method of the page's call session. */
  const act = (page: Page, name: 'accept' | 'hangUp'): Promise<void> =>
    page.evaluate((method) => (globalThis as unknown as Shared).terminal.getSession()?.[method](), name);
  const place = (page: Page, callee: number): Promise<void> =>
    page.evaluate(async (id) => {
      await (globalThis as unknown as Shared).terminal.place(id, 'video');
    }, callee);
  /** Number of video frames of the peer that the page has shown. */
  const frames = (page: Page): Promise<number> =>
    page.evaluate(() => document.querySelector('video')?.getVideoPlaybackQuality().totalVideoFrames ?? 0);
  async function untilMoving(page: Page): Promise<void> {
    const before = await frames(page);
    expect(
      await eventually(
        () => frames(page),
        (now) => now > before + 5,
      ),
    ).toBeGreaterThan(before + 5);
  }

  async function talk(): Promise<{ alice: Page; bob: Page; bobs: string }> {
    const [{ account }, callee] = [await people.make(), await people.make()];
    const [alice, bob] = [await arrive(account), await arrive(callee.account)];
    await place(alice, callee.id);
    await until(bob, 'ringing');
    await act(bob, 'accept');
    await Promise.all([until(alice, 'in call'), until(bob, 'in call')]);
    await Promise.all([untilMoving(alice), untilMoving(bob)]);
    return { alice, bob, bobs: callee.account };
  }

  it('carry video both ways, support muting and stopping the camera, and end when one user hangs up', async () => {
    const { alice, bob } = await talk();
    const pictures = (): Promise<number | undefined> =>
      bob.evaluate(
        () => (globalThis as unknown as Shared).terminal.getSession()?.remote.getVideoTracks().length,
      );
    await alice.evaluate(() => (globalThis as unknown as Shared).terminal.getSession()?.camera(false));
    expect(await eventually(pictures, (count) => count === 0)).toBe(0);
    await alice.evaluate(() => (globalThis as unknown as Shared).terminal.getSession()?.camera(true));
    expect(await eventually(pictures, (count) => count === 1)).toBe(1);
    const seen = await alice.evaluate(async () => {
      const session = (globalThis as unknown as Shared).terminal.getSession() as CallSession;
      session.mute();
      const muted = session.localStream?.getAudioTracks().map(({ enabled }) => enabled);
      await session.camera(false);
      const withoutCamera = [session.isMuted, session.hasCamera, muted];
      await session.camera(true);
      return [...withoutCamera, session.hasCamera, session.seconds >= 0];
    });
    expect(seen).toEqual([true, false, [false], true, true]);
    await untilMoving(bob);
    await act(bob, 'hangUp');
    expect(await until(alice, 'ended')).toBe('local_hangup');
    expect(await until(bob, 'ended')).toBe('local_hangup');
    const isSilent = await alice.evaluate(() =>
      (globalThis as unknown as Shared).terminal
        .getSession()
        ?.localStream?.getTracks()
        .map(({ readyState }) => readyState),
    );
    expect(isSilent).toEqual(['ended', 'ended']);
  });

  it('continue after a reload, without another tab of the same user joining', async () => {
    const { alice, bob, bobs } = await talk();
    const tab = await arrive(bobs, bob.context());
    expect(await stateOf(tab)).toEqual([undefined, undefined]);
    await bob.reload();
    await bob.waitForFunction('window.isReady');
    await signIn(bob, bobs);
    await until(bob, 'in call');
    await Promise.all([untilMoving(alice), untilMoving(bob)]);
    expect(await stateOf(tab)).toEqual([undefined, undefined]);
    await act(alice, 'hangUp');
    await until(bob, 'ended');
  });

  it('work with the code of the README', async () => {
    const [caller, callee] = [await people.make(), await people.make()];
    const [alice, bob] = await Promise.all(
      [caller, callee].map((person) => followReadme(person.account, callee.id)),
    );
    await alice?.click('#callButton');
    await bob?.waitForFunction((name) => document.body.innerText.includes(`ringing ${name}`), caller.account);
    await bob?.click('#answerButton');
    for (const page of [alice, bob]) {
      await page?.waitForFunction(() => document.body.innerText.includes('in call'));
      if (page) await untilMoving(page);
    }
    await bob?.click('#hangUpButton');
    await alice?.waitForFunction(() => document.body.innerText.includes('ended'));
    expect(await alice?.locator('#stateText').innerText()).toBe(`ended ${callee.account} local_hangup`);
  });

  /** Opens a page with the elements that the README's example uses, and runs the example in it. */
  async function followReadme(account: string, calleeId: number): Promise<Page> {
    const page = await site.open(await newContext());
    const buttons = ['callButton', 'answerButton', 'hangUpButton', 'muteButton'];
    await page.evaluate(
      ([names, values]) => {
        document.body.innerHTML += names.map((name) => `<button id="${name}">${name}</button>`).join('');
        document.body.innerHTML +=
          '<video id="remoteVideo" autoplay playsinline></video><p id="stateText"></p>';
        document.querySelector('#remote')?.remove();
        Object.assign(globalThis, values);
      },
      [buttons, { account, password: PASSWORD, calleeId }] as const,
    );
    const code = exampleOf('call')
      .replace("'@callboard/client'", "'/client/index.js'")
      .replace("'@callboard/client/calls'", "'/client/calls/index.js'")
      // The test site does not pass on cookies.
      .replace(
        'new Callboard()',
        `new Callboard({ store: (await import('/client/index.js')).memoryStore() })`,
      );
    await page.addScriptTag({ type: 'module', content: `${code}\nglobalThis.isFollowing = true;` });
    await page.waitForFunction('window.isFollowing');
    return page;
  }

  it('stop ringing at the other terminals when one accepts or declines', async () => {
    const [{ account }, callee] = [await people.make(), await people.make()];
    const alice = await arrive(account);
    const [phone, desk] = [await arrive(callee.account), await arrive(callee.account)];
    await place(alice, callee.id);
    await Promise.all([until(phone, 'ringing'), until(desk, 'ringing')]);
    await act(phone, 'accept');
    expect(await until(desk, 'ended')).toBe('answered_elsewhere');
    await until(alice, 'in call');
    await act(alice, 'hangUp');
    await until(phone, 'ended');

    await place(alice, callee.id);
    await Promise.all([until(phone, 'ringing'), until(desk, 'ringing')]);
    await act(desk, 'hangUp');
    expect(await until(phone, 'ended')).toBe('declined_elsewhere');
    expect(await until(alice, 'ended')).toBe('user_reject');
  });
});
