import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryUploadStore } from '../src/attachments/upload-store.js';
import { type Attachment, Callboard } from '../src/index.js';
import { BrokenNetwork } from './support/broken-network.js';
import { PeopleOfService, PASSWORD } from './support/people.js';

const MIB = 1024 * 1024;
const CONTENT = Buffer.from(Uint8Array.from({ length: 9 * MIB }, (_, index) => index % 251));
const film = (): File => new File([CONTENT], 'log.bin', { lastModified: 7 });

describe('Files in pieces at the service', () => {
  let folder: string;
  let people: PeopleOfService;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'callboard-client-uploads-'));
    people = await PeopleOfService.start({ ATTACHMENT_STORAGE: `file:${folder}` });
  });
  afterAll(async () => {
    await people?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const bytesOf = async ({ url }: Attachment): Promise<Buffer> => {
    const { pathname, search } = new URL(url);
    return Buffer.from(await (await fetch(people.service.url + pathname + search)).arrayBuffer());
  };

  it('arrive unchanged over a connection that loses requests and responses', async () => {
    const network = new BrokenNetwork();
    const ann = await people.signIn({ fetch: network.fetch });
    // Creation, and the pieces: one never arrives, and the response to another one is lost.
    network.fates = ['well', 'well', 'lost before', 'well', 'lost after'];
    const uploaded = await ann.attachments.upload(film());
    expect(uploaded).toMatchObject({ type: 'file', name: 'log.bin', size: 9 * MIB });
    expect((await bytesOf(uploaded)).equals(CONTENT)).toBe(true);
    expect(network.fates).toEqual([]);
  });

  it('go on where a closed page has stopped', async () => {
    const { account } = await people.make();
    const store = memoryUploadStore();
    const requests: string[] = [];
    const signIn = async (send: typeof fetch): Promise<Callboard> => {
      const client = new Callboard({ baseUrl: people.service.url, fetch: send });
      await client.session.logIn(account, PASSWORD);
      requests.length = 0;
      return client;
    };
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const page = await signIn((input, init) => {
      requests.push(init?.method ?? 'GET');
      if (requests.filter((method) => method === 'PATCH').length < 2) return fetch(input, init);
      close();
      return new Promise(() => undefined);
    });
    void page.attachments.upload(film(), { store });
    await closed;

    const next = await signIn((input, init) => {
      requests.push(`${init?.method} ${new Headers(init?.headers).get('Upload-Offset') ?? ''}`.trim());
      return fetch(input, init);
    });
    const uploaded = await next.attachments.upload(film(), { store });
    expect(requests.filter((request) => !request.startsWith('GET'))).toEqual([
      'HEAD',
      `PATCH ${4 * MIB}`,
      `PATCH ${8 * MIB}`,
    ]);
    expect((await bytesOf(uploaded)).equals(CONTENT)).toBe(true);
  });
});
