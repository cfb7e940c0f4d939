import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from './config';
import { withLocalSecrets } from './local-secrets';

describe('Development secrets', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'callboard-secrets-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const load = (env: NodeJS.ProcessEnv = {}) =>
    withLocalSecrets(loadConfig({ DATABASE_URL: `sqlite:${join(folder, 'db.sqlite')}`, ...env }));

  it('are generated once, stored beside the database and reported', () => {
    const agora = { MEDIA_PROVIDER: 'agora' };
    const { config, notes } = load(agora);
    expect(config.auth.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(config.media).toMatchObject({
      provider: 'agora',
      appId: expect.stringMatching(/^[0-9a-f]{32}$/),
      appCertificate: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(notes).toEqual([
      `No JWT_SECRET is set: using the development secret of ${folder}/secrets.json`,
      `No agora credentials are set: media tokens are signed with generated placeholders of ${folder}/secrets.json`,
      `No WEBHOOK_SECRET is set: using the development secret of ${folder}/secrets.json`,
      `No FILES_SECRET is set: using the development secret of ${folder}/secrets.json`,
      `No VAPID_PRIVATE_KEY is set: using the development key of ${folder}/secrets.json`,
    ]);
    expect(config.backEnds.webhookSecret).toMatch(/^[0-9a-f]{64}$/);
    expect(config.backEnds.webhookSecret).not.toBe(config.auth.secret);
    expect(config.attachments.filesSecret).toMatch(/^[0-9a-f]{64}$/);
    expect(config.attachments.filesSecret).not.toBe(config.backEnds.webhookSecret);
    expect(config.push.vapid).toEqual({
      publicKey: expect.stringMatching(/^B[\w-]{86}$/),
      privateKey: expect.stringMatching(/^[\w-]{43}$/),
      subject: 'mailto:development@example.com',
    });
    expect(load(agora).config).toEqual(config);
    expect(readdirSync(folder)).toEqual(['secrets.json']);
    expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
  });

  it('include the LiveKit settings', () => {
    expect(load({ MEDIA_PROVIDER: 'livekit' }).config.media).toMatchObject({
      provider: 'livekit',
      url: 'ws://localhost:7880',
      apiKey: expect.stringMatching(/^API/),
      apiSecret: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('contain no media credentials for the built-in provider', () => {
    const { config, notes } = load();
    expect(config.media).toEqual({
      provider: 'webrtc',
      stunUrls: [],
      turnUrls: [],
      turnSecret: undefined,
      transportPolicy: 'all',
      tokenTtlSeconds: 3600,
    });
    expect(notes).toEqual([
      `No JWT_SECRET is set: using the development secret of ${folder}/secrets.json`,
      `No WEBHOOK_SECRET is set: using the development secret of ${folder}/secrets.json`,
      `No FILES_SECRET is set: using the development secret of ${folder}/secrets.json`,
      `No VAPID_PRIVATE_KEY is set: using the development key of ${folder}/secrets.json`,
    ]);
  });

  it('do not replace configured values', () => {
    const env = { JWT_SECRET: 'mine', AGORA_APP_ID: 'a'.repeat(32), AGORA_APP_CERTIFICATE: 'b'.repeat(32) };
    const { config, notes } = load({
      ...env,
      WEBHOOK_SECRET: 'mine too',
      FILES_SECRET: 'also mine',
      VAPID_PRIVATE_KEY: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE',
      VAPID_SUBJECT: 'mailto:operator@example.com',
    });
    expect([config.auth.secret, notes, readdirSync(folder)]).toEqual(['mine', [], []]);
    expect(config.backEnds.webhookSecret).toBe('mine too');
    expect(config.attachments.filesSecret).toBe('also mine');
    expect(config.push.vapid?.subject).toBe('mailto:operator@example.com');
  });

  it.each(['test', 'production'])('contain no key of Web Push with NODE_ENV=%s', (NODE_ENV) => {
    const env = { NODE_ENV, JWT_SECRET: 'j'.repeat(32), MEDIA_PROVIDER: 'webrtc' };
    expect(load(env).config.push.vapid).toBeUndefined();
  });

  it('contain no JWT secret when another key source is configured', () => {
    expect(load({ JWT_JWKS_URL: 'https://id.example/jwks' }).config.auth.secret).toBeUndefined();
  });

  it('are not stored for an in-memory database', () => {
    const { config, notes } = load({ DATABASE_URL: 'sqlite::memory:' });
    expect(config.auth.secret).toHaveLength(64);
    expect(notes[0]).toContain('this run only');
  });
});
