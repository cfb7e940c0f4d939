import { type BinaryToTextEncoding, createHmac, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Config, deepFreeze } from './config';
import { vapidPublicKey } from './push-config';

interface Secrets {
  jwtSecret: string;
  agoraAppId: string;
  agoraAppCertificate: string;
  livekitApiKey: string;
  livekitApiSecret: string;
}

/** Contact of the operator that push services receive in development. */
const DEVELOPMENT_SUBJECT = 'mailto:development@example.com';

/**
 * Completes a configuration outside production with a JWT secret, a webhook secret, a files secret and, for a media
 * provider without credentials, well-formed media credentials; in development, but not in tests, also with a key pair for
 * Web Push. They are generated once and stored in `secrets.json` next to the database, so that tokens, the secrets of
 * webhooks and subscriptions survive a restart (API 6.1, 14.3, 16.2, 17.1, 18.1). Returns the configuration and a log
 * line for each secret that was filled in.
 */
export function withLocalSecrets(config: Config): { config: Config; notes: string[] } {
  const gaps = config.mode === 'production' ? [] : gapsOf(config);
  if (gaps.length === 0) return { config, notes: [] };
  const { secrets, kept } = readOrMakeSecrets(config);
  const parts = gaps.map(({ fill }) => fill(secrets));
  return {
    config: deepFreeze(Object.assign({}, config, ...parts) as Config),
    notes: gaps.map(({ note }) => `${note} of ${kept}`),
  };
}

/**
 * A missing secret: the prefix of its log line, which ends with the file of the secrets, and the part of the
 * configuration to fill.
 */
interface Gap {
  note: string;
  fill: (secrets: Secrets) => Partial<Config>;
}

function gapsOf({ mode, auth, media, backEnds, attachments, push }: Config): Gap[] {
  const gaps: Gap[] = [];
  if (!auth.secret && !auth.jwksUrl && !auth.publicKey)
    gaps.push({
      note: 'No JWT_SECRET is set: using the development secret',
      fill: ({ jwtSecret }) => ({ auth: { ...auth, secret: jwtSecret } }),
    });
  // The built-in provider needs no credentials.
  const placeholders = `No ${media.provider} credentials are set: media tokens are signed with generated placeholders`;
  if (media.provider === 'agora' && !media.appId)
    gaps.push({
      note: placeholders,
      fill: ({ agoraAppId: appId, agoraAppCertificate: appCertificate }) => ({
        media: { ...media, appId, appCertificate, isGenerated: true },
      }),
    });
  if (media.provider === 'livekit' && !media.apiKey)
    gaps.push({
      note: placeholders,
      fill: ({ livekitApiKey: apiKey, livekitApiSecret: apiSecret }) => ({
        media: { ...media, url: 'ws://localhost:7880', apiKey, apiSecret, isGenerated: true },
      }),
    });
  if (backEnds.webhookSecret === undefined)
    gaps.push({
      note: 'No WEBHOOK_SECRET is set: using the development secret',
      fill: (secrets) => ({ backEnds: { ...backEnds, webhookSecret: derivedFrom(secrets, 'webhooks') } }),
    });
  if (attachments.storage !== undefined && attachments.filesSecret === undefined)
    gaps.push({
      note: 'No FILES_SECRET is set: using the development secret',
      fill: (secrets) => ({ attachments: { ...attachments, filesSecret: derivedFrom(secrets, 'files') } }),
    });
  if (mode === 'development' && push.vapid === undefined)
    gaps.push({
      note: 'No VAPID_PRIVATE_KEY is set: using the development key',
      fill: (secrets) => {
        const privateKey = derivedFrom(secrets, 'vapid', 'base64url');
        const publicKey = vapidPublicKey(privateKey);
        if (publicKey === undefined) return {};
        return { push: { ...push, vapid: { publicKey, privateKey, subject: DEVELOPMENT_SUBJECT } } };
      },
    });
  return gaps;
}

/** Derives a secret from the JWT secret, so that files written before the purpose existed have one too. */
const derivedFrom = ({ jwtSecret }: Secrets, purpose: string, encoding: BinaryToTextEncoding = 'hex') =>
  createHmac('sha256', jwtSecret).update(purpose).digest(encoding);

function readOrMakeSecrets(config: Config): { secrets: Secrets; kept: string } {
  if (config.database.type === 'better-sqlite3' && config.database.file === ':memory:') {
    return { secrets: makeSecrets(), kept: 'this run only' };
  }
  const folder = config.database.type === 'better-sqlite3' ? dirname(config.database.file) : 'data';
  const path = join(folder, 'secrets.json');
  mkdirSync(folder, { recursive: true });
  // Written to a temporary file and linked: if several instances start at the same time, one file wins, and none is
  // read incomplete.
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${JSON.stringify(makeSecrets(), null, 2)}\n`, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return { secrets: JSON.parse(readFileSync(path, 'utf8')) as Secrets, kept: path };
}

function makeSecrets(): Secrets {
  return {
    jwtSecret: randomBytes(32).toString('hex'),
    agoraAppId: randomBytes(16).toString('hex'),
    agoraAppCertificate: randomBytes(16).toString('hex'),
    livekitApiKey: `API${randomBytes(6).toString('hex')}`,
    livekitApiSecret: randomBytes(32).toString('hex'),
  };
}
