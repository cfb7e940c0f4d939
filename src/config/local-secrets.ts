import { createHmac, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from './config';
import type { MediaConfig } from './media-config';
import { type VapidConfig, vapidPublicKey } from './push-config';

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
  const needsSecret = !config.auth.secret && !config.auth.jwksUrl && !config.auth.publicKey;
  const needsMedia = lacksCredentials(config.media);
  const needsWebhooks = config.backEnds.webhookSecret === undefined;
  const needsFiles = config.attachments.storage !== undefined && config.attachments.filesSecret === undefined;
  const needsVapid = config.mode === 'development' && config.push.vapid === undefined;
  const needsNothing = ![needsSecret, needsMedia, needsWebhooks, needsFiles, needsVapid].includes(true);
  if (config.mode === 'production' || needsNothing) return { config, notes: [] };

  const { secrets, kept } = readOrMakeSecrets(config);
  const notes: string[] = [];
  if (needsSecret) notes.push(`No JWT_SECRET is set: using the development secret of ${kept}`);
  if (needsMedia) {
    notes.push(
      `No ${config.media.provider} credentials are set: media tokens are signed with generated placeholders of ${kept}`,
    );
  }
  if (needsWebhooks) notes.push(`No WEBHOOK_SECRET is set: using the development secret of ${kept}`);
  if (needsFiles) notes.push(`No FILES_SECRET is set: using the development secret of ${kept}`);
  if (needsVapid) notes.push(`No VAPID_PRIVATE_KEY is set: using the development key of ${kept}`);
  return {
    config: Object.freeze({
      ...config,
      backEnds: needsWebhooks
        ? Object.freeze({ ...config.backEnds, webhookSecret: webhookSecretOf(secrets) })
        : config.backEnds,
      attachments: needsFiles
        ? Object.freeze({ ...config.attachments, filesSecret: filesSecretOf(secrets) })
        : config.attachments,
      auth: needsSecret ? Object.freeze({ ...config.auth, secret: secrets.jwtSecret }) : config.auth,
      push: needsVapid ? Object.freeze({ ...config.push, vapid: vapidOf(secrets) }) : config.push,
      media: needsMedia ? Object.freeze(fillMedia(config.media, secrets)) : config.media,
    }),
    notes,
  };
}

/** Whether the media provider needs credentials and has none. The built-in provider needs none. */
function lacksCredentials(media: MediaConfig): boolean {
  if (media.provider === 'webrtc') return false;
  return media.provider === 'agora' ? !media.appId : !media.apiKey;
}

function fillMedia(media: MediaConfig, secrets: Secrets): MediaConfig {
  if (media.provider === 'webrtc') return media;
  return media.provider === 'agora'
    ? {
        ...media,
        appId: secrets.agoraAppId,
        appCertificate: secrets.agoraAppCertificate,
        isGenerated: true,
      }
    : {
        ...media,
        isGenerated: true,
        url: 'ws://localhost:7880',
        apiKey: secrets.livekitApiKey,
        apiSecret: secrets.livekitApiSecret,
      };
}

/** Derives the webhook secret from the JWT secret, so that files written before webhooks existed have one too. */
const webhookSecretOf = ({ jwtSecret }: Secrets): string =>
  createHmac('sha256', jwtSecret).update('webhooks').digest('hex');

/** Derives the secret of the URLs of files from the JWT secret, for the same reason. */
const filesSecretOf = ({ jwtSecret }: Secrets): string =>
  createHmac('sha256', jwtSecret).update('files').digest('hex');

/** Derives the key pair of Web Push from the JWT secret, for the same reason. */
function vapidOf({ jwtSecret }: Secrets): VapidConfig | undefined {
  const privateKey = createHmac('sha256', jwtSecret).update('vapid').digest('base64url');
  const publicKey = vapidPublicKey(privateKey);
  return publicKey === undefined ? undefined : { publicKey, privateKey, subject: DEVELOPMENT_SUBJECT };
}

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
