import { loadConfig } from './config';
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

describe('Back-end configuration', () => {
  const PRODUCTION = { NODE_ENV: 'production', JWT_SECRET: 's'.repeat(32), MEDIA_PROVIDER: 'webrtc' };

  it('is read from the variables', () => {
    const env = {
      WEBHOOK_SECRET: 'new',
      WEBHOOK_SECRET_PREVIOUS: 'old',
      WEBHOOK_RETENTION_DAYS: '3',
      OUTBOUND_ALLOWED_NETWORKS: '10.0.0.0/8, fd00::/8,192.0.2.7',
    };
    expect(loadConfig(env).backEnds).toEqual({
      webhookSecret: 'new',
      previousWebhookSecret: 'old',
      webhookRetentionDays: 3,
      outboundAllowedNetworks: ['10.0.0.0/8', 'fd00::/8', '192.0.2.7'],
    });
  });

  it('is optional in production, but requires secrets of 32 bytes there', () => {
    expect(problemsOf(PRODUCTION)).toEqual([]);
    const short = { WEBHOOK_SECRET: 's'.repeat(31), WEBHOOK_SECRET_PREVIOUS: 'x' };
    expect(problemsOf(short)).toEqual([]);
    expect(problemsOf({ ...PRODUCTION, ...short })).toEqual([
      'WEBHOOK_SECRET must have at least 32 bytes in production',
      'WEBHOOK_SECRET_PREVIOUS must have at least 32 bytes in production',
    ]);
  });

  it('rejects invalid networks', () => {
    expect(problemsOf({ OUTBOUND_ALLOWED_NETWORKS: '10.0.0.0/33,here,10.0.0.0/8' })).toEqual([
      'OUTBOUND_ALLOWED_NETWORKS must be networks such as 10.0.0.0/8, but has 10.0.0.0/33, here',
    ]);
  });

  it('requires a retention of at least one day', () => {
    expect(problemsOf({ WEBHOOK_RETENTION_DAYS: '0' })).toEqual([
      'WEBHOOK_RETENTION_DAYS must be a whole number from 1 to 3650, but is "0"',
    ]);
  });
});
