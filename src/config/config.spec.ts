import { generateKeyPairSync } from 'node:crypto';
import { authWarnings } from './auth-config';
import { type Config, loadConfig } from './config';
import { ConfigError } from './env-reader';

const problemsOf = (env: NodeJS.ProcessEnv): string[] => {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

const PRODUCTION = {
  NODE_ENV: 'production',
  JWT_SECRET: 's'.repeat(32),
  AGORA_APP_ID: 'a'.repeat(32),
  AGORA_APP_CERTIFICATE: 'b'.repeat(32),
};

describe('Configuration', () => {
  it('has a default for every variable in development', () => {
    expect(loadConfig({})).toEqual({
      mode: 'development',
      host: '0.0.0.0',
      port: 3000,
      logLevel: 'info',
      database: { type: 'better-sqlite3', file: './data/callboard.sqlite' },
      workers: 1,
      redis: undefined,
      auth: {
        secret: undefined,
        previousSecret: undefined,
        jwksUrl: undefined,
        publicKey: undefined,
        issuer: undefined,
        audience: undefined,
        provider: {
          subject: 'auto',
          roleClaim: 'role',
          adminValues: ['admin'],
          profileSource: 'first',
          issuer: '',
        },
        accessTokenTtlSeconds: 7200,
        refreshTokenTtlSeconds: 2_592_000,
      },
      attachments: expect.objectContaining({ maxBytes: 104_857_600 }),
      backEnds: {
        webhookSecret: undefined,
        previousWebhookSecret: undefined,
        webhookRetentionDays: 14,
        outboundAllowedNetworks: [],
      },
      media: {
        provider: 'webrtc',
        stunUrls: [],
        turnUrls: [],
        turnSecret: undefined,
        transportPolicy: 'all',
        tokenTtlSeconds: 3600,
      },
      calls: { ringTimeoutSeconds: 60, maxDurationSeconds: 14_400 },
      messageRecallSeconds: 120,
      people: { directory: 'open', profileEditing: true, presence: true },
      messageEditSeconds: 900,
      chatNotices: ['members', 'calls'],
      eventRetentionHours: 168,
      auditRetentionDays: 365,
      timezone: 'Asia/Shanghai',
      language: 'zh-CN',
      httpStatusMode: 'mapped',
      corsOrigins: [],
      web: true,
      trustProxy: false,
      push: { content: 'names', messageTtlSeconds: 259_200, activeDelaySeconds: 10 },
      rateLimitPerMinute: 600,
      apiKeyRatePerMinute: 3_000,
      requestTimeoutSeconds: 10,
      maxRequestsInFlight: 500,
      maxEventLoopDelayMs: 1000,
      metrics: { token: undefined, maxAgeMs: 1000 },
      demoData: true,
      devices: { offlineSeconds: 90 },
    });
  });

  it('is deeply frozen', () => {
    const config = loadConfig({});
    expect(Object.isFrozen(config) && Object.isFrozen(config.calls) && Object.isFrozen(config.database)).toBe(
      true,
    );
  });

  it('treats an empty variable as unset', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: ' ', MEDIA_PROVIDER: '' })).toEqual(loadConfig({}));
  });

  it.each(['10.0.0.1', '10.0.0.0/8, fd00::/8', 'loopback', '0.0.0.0/0', '::ffff:10.0.0.0/104'])(
    'accepts TRUST_PROXY=%s',
    (text) => {
      expect(loadConfig({ TRUST_PROXY: text }).trustProxy).toBe(text);
    },
  );

  it.each(['loopback,', ',', '10.0.0.0/33', '10.0.0.0/255.0.0.0'])('rejects TRUST_PROXY=%s', (text) => {
    expect(problemsOf({ TRUST_PROXY: text })).toEqual([
      `TRUST_PROXY must be true, false or addresses such as 10.0.0.0/8, but is "${text}"`,
    ]);
  });

  it('accepts 1 for every duration but the offline time of devices and the time-out of requests', () => {
    const names = `ACCESS_TOKEN_TTL_SECONDS REFRESH_TOKEN_TTL_SECONDS RTC_TOKEN_TTL_SECONDS CALL_RING_TIMEOUT_SECONDS
      CALL_MAX_DURATION_SECONDS MESSAGE_RECALL_SECONDS MESSAGE_EDIT_SECONDS EVENT_RETENTION_HOURS WEBHOOK_RETENTION_DAYS
      AUDIT_RETENTION_DAYS ATTACHMENT_URL_SECONDS PUSH_MESSAGE_TTL_SECONDS PUSH_ACTIVE_DELAY_SECONDS`;
    const one = Object.fromEntries(names.split(/\s+/).map((name) => [name, '1']));
    expect(problemsOf(one)).toEqual([]);
  });

  it('reads CHAT_NOTICES as a list in any order', () => {
    expect(loadConfig({ CHAT_NOTICES: ' calls,members, ' }).chatNotices).toEqual(['members', 'calls']);
    expect(problemsOf({ CHAT_NOTICES: 'calls,weather,news' })).toEqual([
      'CHAT_NOTICES must be none or a list of members, calls, but has weather, news',
    ]);
  });

  it('defaults to chat notices and an open directory only with demo data', () => {
    const read = ({ chatNotices, people }: Config) => [chatNotices, people.directory];
    for (const env of [PRODUCTION, { NODE_ENV: 'test' }, { DEMO_DATA: 'off' }])
      expect(read(loadConfig(env))).toEqual([[], 'exact']);
    const named = { CHAT_NOTICES: 'none', USER_DIRECTORY: 'off' };
    expect(read(loadConfig(named))).toEqual([[], 'off']);
  });

  it('requires the characters of a bearer token for METRICS_TOKEN, and 16 bytes in production', () => {
    const problemsWith = (token: string, env = {}): string[] =>
      problemsOf({ METRICS_TOKEN: token, ...env }).filter((problem) => problem.startsWith('METRICS_TOKEN'));
    expect(loadConfig({ METRICS_TOKEN: 'a.b-c' }).metrics.token).toBe('a.b-c');
    expect(problemsWith('two words')).toEqual([
      'METRICS_TOKEN must consist of letters, digits and any of - . _ ~ + / =',
    ]);
    expect(problemsWith('x'.repeat(15), { NODE_ENV: 'production' })).toEqual([
      'METRICS_TOKEN must have at least 16 bytes in production',
    ]);
    expect(problemsWith('x'.repeat(16), { NODE_ENV: 'production' })).toEqual([]);
  });

  it('lists every problem at once', () => {
    const problems = problemsOf({
      NODE_ENV: 'staging',
      PORT: '70000',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'postgres://x/y',
      REDIS_URL: 'http://cache',
      MEDIA_PROVIDER: 'zoom',
      RTC_TOKEN_TTL_SECONDS: '86401',
      CALL_RING_TIMEOUT_SECONDS: '1.5',
      APP_TIMEZONE: 'Mars/Olympus',
      MESSAGE_LANGUAGE: 'fr',
      HTTP_STATUS_MODE: 'sometimes',
      DEMO_DATA: 'yes',
      TRUST_PROXY: '10.0.0.1, banana',
      CORS_ORIGINS: 'https://fine.example, https://slash.example/, banana',
      JWT_PUBLIC_KEY: 'not a key',
      JWT_ISSUER: 'i'.repeat(256),
      JWT_SUBJECT: 'email',
      JWT_ROLE_CLAIM: ' ',
      JWT_ADMIN_VALUES: ' , ',
      PROFILE_SOURCE: 'last',
    });
    expect(problems).toEqual([
      'NODE_ENV must be one of development, test, production, but is "staging"',
      'DEMO_DATA must be one of on, off, but is "yes"',
      'DATABASE_URL must be sqlite:<file>, mysql://user:password@host/database or mariadb://…',
      'PORT must be a whole number from 0 to 65535, but is "70000"',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, but is "loud"',
      'REDIS_URL must be a URL of redis, rediss, redis-sentinel, rediss-sentinel, redis-cluster, rediss-cluster',
      'JWT_ISSUER must have at most 255 characters',
      'JWT_ADMIN_VALUES must name at least one value',
      'JWT_SUBJECT must be one of auto, external, but is "email"',
      'JWT_ROLE_CLAIM must not be empty',
      'PROFILE_SOURCE must be one of first, token, but is "last"',
      'JWT_PUBLIC_KEY must be a PEM public key, RSA of 2048 bits or more, P-256 or Ed25519 (line breaks may be \\n)',
      'RTC_TOKEN_TTL_SECONDS must be a whole number from 1 to 86400, but is "86401"',
      'MEDIA_PROVIDER must be one of webrtc, agora, livekit, but is "zoom"',
      'CALL_RING_TIMEOUT_SECONDS must be a whole number from 1 to 2147483, but is "1.5"',
      'APP_TIMEZONE must be an IANA time zone, but is "Mars/Olympus"',
      'MESSAGE_LANGUAGE must be one of zh-CN, en, auto, but is "fr"',
      'HTTP_STATUS_MODE must be one of mapped, always_200, but is "sometimes"',
      'CORS_ORIGINS must be * or origins such as https://app.example, but has https://slash.example/, banana',
      'TRUST_PROXY must be true, false or addresses such as 10.0.0.0/8, but is "10.0.0.1, banana"',
    ]);
  });

  describe('in production', () => {
    it('starts with a secret and media credentials, and without demo data', () => {
      expect(loadConfig(PRODUCTION)).toMatchObject({ mode: 'production', demoData: false });
    });

    it.each([
      [
        'no key source',
        { JWT_SECRET: '' },
        'production needs JWT_SECRET (32 bytes or more), JWT_JWKS_URL or JWT_PUBLIC_KEY',
      ],
      [
        'a short secret',
        { JWT_SECRET: 's'.repeat(31) },
        'JWT_SECRET must have at least 32 bytes in production',
      ],
      [
        'a short previous secret',
        { JWT_SECRET_PREVIOUS: 's'.repeat(31) },
        'JWT_SECRET_PREVIOUS must have at least 32 bytes in production',
      ],
      ['no media credentials', { AGORA_APP_ID: '' }, 'AGORA_APP_ID must be set in production'],
      ['demo data', { DEMO_DATA: 'on' }, 'DEMO_DATA must be off in production'],
      [
        'LiveKit without its three settings',
        { MEDIA_PROVIDER: 'livekit' },
        'LIVEKIT_URL and LIVEKIT_API_KEY and LIVEKIT_API_SECRET must be set in production',
      ],
    ])('does not start with %s', (_, change, problem) => {
      expect(problemsOf({ ...PRODUCTION, ...change })).toEqual([problem]);
    });

    it('starts with a public key instead of a secret', () => {
      const { publicKey } = generateKeyPairSync('ed25519');
      const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString().replaceAll('\n', '\\n');
      expect(problemsOf({ ...PRODUCTION, JWT_SECRET: '', JWT_PUBLIC_KEY: pem })).toEqual([]);
    });
  });

  it('accepts a short secret outside production with a warning', () => {
    const warned = (env: NodeJS.ProcessEnv): string[] => authWarnings(loadConfig(env).auth);
    expect(warned({})).toEqual([]);
    expect(warned({ JWT_SECRET: 's'.repeat(32) })).toEqual([]);
    expect(warned({ JWT_SECRET: 's'.repeat(31), JWT_SECRET_PREVIOUS: 'x' })).toEqual([
      'JWT_SECRET has fewer than 32 bytes: it can be guessed, and is rejected in production',
      'JWT_SECRET_PREVIOUS has fewer than 32 bytes: it can be guessed, and is rejected in production',
    ]);
  });

  it('rejects incomplete and malformed media credentials', () => {
    expect(problemsOf({ AGORA_APP_ID: 'a'.repeat(32) })).toEqual(['AGORA_APP_CERTIFICATE must be set']);
    expect(problemsOf({ AGORA_APP_ID: 'x', AGORA_APP_CERTIFICATE: 'b'.repeat(32) })).toEqual([
      'AGORA_APP_ID must be 32 hexadecimal digits',
    ]);
  });

  describe('for identity providers', () => {
    const url = 'https://id.example/keys';
    const key = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }) as string;
    const providerOf = (env: NodeJS.ProcessEnv) => loadConfig(env).auth.provider;

    it('reads the role claim and several administrator values', () => {
      const env = {
        JWT_SUBJECT: 'external',
        JWT_ROLE_CLAIM: 'realm_access.roles',
        JWT_ADMIN_VALUES: 'Callboard.Admin, root,',
      };
      expect(providerOf(env)).toEqual({
        subject: 'external',
        roleClaim: 'realm_access.roles',
        adminValues: ['Callboard.Admin', 'root'],
        profileSource: 'first',
        issuer: '',
      });
    });

    it.each([
      ['one source of keys', { JWT_JWKS_URL: url }, ''],
      ['an issuer', { JWT_JWKS_URL: url, JWT_ISSUER: 'https://id.example' }, 'https://id.example'],
      ['an issuer for two sources', { JWT_JWKS_URL: url, JWT_PUBLIC_KEY: key, JWT_ISSUER: 'x' }, 'x'],
      ['two sources without an issuer', { JWT_JWKS_URL: url, JWT_PUBLIC_KEY: key }, undefined],
    ])('stores external ids under the right issuer with %s', (_, env, issuer) => {
      expect(providerOf(env).issuer).toBe(issuer);
    });
  });

  it('rejects credentials in JWT_JWKS_URL', () => {
    expect(problemsOf({ JWT_JWKS_URL: 'https://user:word@id.example/keys' })).toEqual([
      'JWT_JWKS_URL must not contain a user or a password',
    ]);
  });

  it('disables demo data in test mode', () => {
    expect(loadConfig({ NODE_ENV: 'test' }).demoData).toBe(false);
  });
});
