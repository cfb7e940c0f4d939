import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../../../test/support/browser-available.js';
import type { CallTerminal } from '../../src/calls/index.js';
import type { Callboard } from '../../src/index.js';
import { BuiltPackage } from '../support/built-package.js';
import { PASSWORD, PeopleOfService } from '../support/people.js';
import { Site } from './tabs.js';

interface Shared {
  core: typeof import('../../src/index.js');
  calls: typeof import('../../src/calls/index.js');
  client: Callboard;
  terminal: CallTerminal;
}

/** A device on a LAN: browsers disable locks, `randomUUID` and cameras in pages over plain http. */
describe('A page over plain http', () => {
  let built: BuiltPackage;
  let people: PeopleOfService;
  let site: Site;
  let browser: Browser;
  beforeAll(async () => {
    const args = ['--no-sandbox', '--host-resolver-rules=MAP door.example 127.0.0.1'];
    [built, people, browser] = await Promise.all([
      BuiltPackage.make(),
      PeopleOfService.start(),
      chromium.launch({ executablePath: findChromium(), args }),
    ]);
    site = await Site.start(people.service.url, built.dist);
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([people?.stop(), site?.stop()]);
    built?.remove();
  });

  it('signs in, sends messages, receives events, and fails calls with needs_https', async () => {
    const [me, peer] = [await people.make(), await people.signIn()];
    const page = await site.open(
      await browser.newContext(),
      site.origin.replace('localhost', 'door.example'),
    );
    const seen = await page.evaluate(
      async ([account, password, peerId]) => {
        const shared = globalThis as unknown as Shared;
        const client = new shared.core.Callboard({ store: shared.core.memoryStore() });
        await client.session.logIn(account, password);
        const { id } = await client.conversations.create({ body: { type: 'single', peer_id: peerId } });
        const chat = client.live.messages(id);
        await new Promise<void>((resolve) => {
          chat.subscribe(() => chat.getSnapshot()?.messages !== undefined && resolve());
        });
        await chat.send({ type: 'text', content: 'from the door' });
        const terminal = new shared.calls.CallTerminal(client);
        const refusal = await terminal.place(peerId).catch((error: { code: unknown }) => error.code);
        Object.assign(shared, { chat });
        return { locks: typeof navigator.locks, id, refusal };
      },
      [me.account, PASSWORD, await peer.userId()] as const,
    );
    expect(seen).toMatchObject({ locks: 'undefined', refusal: 'needs_https' });
    await peer.messages.send({ path: { id: seen.id }, body: { type: 'text', content: 'heard' } });
    await page.waitForFunction("window.chat.getSnapshot().messages[0].content === 'heard'");
    const contents = await page.evaluate('window.chat.getSnapshot().messages.map(({ content }) => content)');
    expect(contents).toEqual(['heard', 'from the door']);
  });
});
