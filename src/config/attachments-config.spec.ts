import { loadConfig } from './config';
import { ConfigError } from './env-reader';

const PRODUCTION = { NODE_ENV: 'production', JWT_SECRET: 's'.repeat(32), MEDIA_PROVIDER: 'webrtc' };

const problemsOf = (env: NodeJS.ProcessEnv): string[] => {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('The configuration of attachments', () => {
  it('stores files next to the database in development', () => {
    expect(loadConfig({}).attachments).toEqual({
      storage: { kind: 'file', folder: './data/attachments' },
      draftFolder: 'data/attachment-drafts',
      publicUrl: 'http://localhost:3000',
      filesSecret: undefined,
      scanUrl: undefined,
      maxBytes: 104_857_600,
      quotaBytes: 10_737_418_240,
      urlSeconds: 604_800,
    });
  });

  it('is off in production without a storage, and in every mode with off', () => {
    expect(loadConfig(PRODUCTION).attachments.storage).toBeUndefined();
    expect(loadConfig({ ATTACHMENT_STORAGE: 'off' }).attachments.storage).toBeUndefined();
  });

  it('needs a public address and a secret of 32 bytes with a storage in production', () => {
    const storage = { ATTACHMENT_STORAGE: 'file:/data' };
    expect(problemsOf({ ...PRODUCTION, ...storage })).toEqual([
      'PUBLIC_URL must be set with ATTACHMENT_STORAGE',
      'FILES_SECRET must be set with ATTACHMENT_STORAGE',
    ]);
    const address = { PUBLIC_URL: 'https://api.example/chat/' };
    expect(problemsOf({ ...PRODUCTION, ...storage, ...address, FILES_SECRET: 'short' })).toEqual([
      'FILES_SECRET must have at least 32 bytes in production',
    ]);
    const complete = { ...PRODUCTION, ...storage, ...address, FILES_SECRET: 'f'.repeat(32) };
    expect(loadConfig(complete).attachments).toMatchObject({
      storage: { kind: 'file', folder: '/data' },
      publicUrl: 'https://api.example/chat',
    });
  });

  it.each([
    ['s3://bucket', { kind: 's3', bucket: 'bucket', prefix: '', region: undefined, endpoint: undefined }],
    [
      's3://bucket/chat/files/?region=eu-1&endpoint=https://s3.example:9000',
      {
        kind: 's3',
        bucket: 'bucket',
        prefix: 'chat/files/',
        region: 'eu-1',
        endpoint: 'https://s3.example:9000',
      },
    ],
  ])('reads %s', (text, storage) => {
    expect(loadConfig({ ATTACHMENT_STORAGE: text }).attachments.storage).toEqual(storage);
  });

  it.each(['ftp://host', 's3:bucket', 's3://bucket?endpoint=here'])('rejects %s', (text) => {
    expect(problemsOf({ ATTACHMENT_STORAGE: text })).toEqual([
      'ATTACHMENT_STORAGE must be off, file:folder or s3://bucket/prefix?region=…&endpoint=https://…',
    ]);
  });

  it('keeps URLs as long as events by default', () => {
    expect(loadConfig({ EVENT_RETENTION_HOURS: '2' }).attachments.urlSeconds).toBe(7_200);
  });
});
