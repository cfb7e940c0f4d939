import { readFileSync } from 'node:fs';
import { loadConfig } from '../../src/config/config';
import { shownConfig } from '../../src/operations/rules/shown-config';

const ROW = /^\| `([A-Z][A-Z0-9_]+)` +\| (?:`([^`]+)`|–) +\| \S/gm;

const PLANTED = 'planted-secret-of-thirty-two-bytes-or-more';
const HEX = 'c0ffee00c0ffee00c0ffee00c0ffee00';

const SHARED = {
  DATABASE_URL: `mysql://${PLANTED}:${PLANTED}@db.example:3307/callboard`,
  DATABASE_SSL: 'required',
  DATABASE_PIPELINING: 'off',
  REDIS_URL: `rediss://${PLANTED}:${PLANTED}@redis.example:6380/2?password=${PLANTED}`,
  JWT_SECRET: PLANTED,
  JWT_SECRET_PREVIOUS: PLANTED,
  JWT_JWKS_URL: `https://id.example/keys?client_secret=${PLANTED}#${PLANTED}`,
  WEBHOOK_SECRET: PLANTED,
  WEBHOOK_SECRET_PREVIOUS: PLANTED,
};

const BY_PROVIDER = {
  webrtc: {
    STUN_URLS: 'stun:a.example:3478,stun:b.example:3478',
    TURN_URLS: 'turn:a.example:3478',
    TURN_SECRET: PLANTED,
  },
  agora: { AGORA_APP_ID: HEX.replace('c0', 'a0'), AGORA_APP_CERTIFICATE: HEX, AGORA_WEBHOOK_SECRET: PLANTED },
  livekit: {
    LIVEKIT_URL: `wss://${PLANTED}:${PLANTED}@live.example/x?key=${PLANTED}`,
    LIVEKIT_API_KEY: PLANTED,
    LIVEKIT_API_SECRET: PLANTED,
  },
};

/** The configuration that administrators can read. */
describe('The configuration in the admin panel', () => {
  it('contains every variable of docs/configuration.md, with its default', () => {
    const table = Array.from(
      readFileSync('docs/configuration.md', 'utf8').matchAll(ROW),
      ([, name = '', fallback]) => [name, fallback ?? null] as const,
    );
    expect(table.length).toBeGreaterThan(30);
    expect(shownConfig(loadConfig({}))).toEqual({ ...Object.fromEntries(table), MEDIA_PROVIDER: 'webrtc' });
  });

  it.each(['webrtc', 'agora', 'livekit'] as const)('contains no secret, with %s', (MEDIA_PROVIDER) => {
    const given = { ...SHARED, ...BY_PROVIDER[MEDIA_PROVIDER], MEDIA_PROVIDER };
    const shown = shownConfig(loadConfig(given));
    expect(JSON.stringify(shown)).not.toMatch(new RegExp(`${PLANTED}|${HEX}`));
    const secrets = Object.entries(given).filter(([, value]) => [PLANTED, HEX].includes(value));
    expect(secrets.length).toBeGreaterThan(4);
    for (const [name] of secrets) expect([name, shown[name]]).toEqual([name, 'set']);
  });

  it('shows addresses without their secret parts', () => {
    expect(shownConfig(loadConfig({ ...SHARED, ...BY_PROVIDER.livekit }))).toMatchObject({
      DATABASE_URL: 'mysql://db.example:3307/callboard',
      DATABASE_SSL: 'required',
      DATABASE_PIPELINING: 'off',
      REDIS_URL: 'rediss://redis.example:6380/2',
      JWT_JWKS_URL: 'https://id.example/keys',
      MEDIA_PROVIDER: 'livekit',
      LIVEKIT_URL: 'wss://live.example/x',
      TURN_URLS: null,
    });
    expect(shownConfig(loadConfig(BY_PROVIDER.webrtc))).toMatchObject({
      STUN_URLS: 'stun:a.example:3478,stun:b.example:3478',
      TURN_URLS: 'turn:a.example:3478',
      AGORA_APP_ID: null,
    });
    expect(shownConfig(loadConfig({ DATABASE_URL: 'mariadb://u:p@[::1]/a%20b' }))).toMatchObject({
      DATABASE_URL: 'mariadb://[::1]:3306/a%20b',
    });
  });
});
