import type { EnvReader } from './env-reader';

/** Where the bytes of attachments are stored. */
export type StorageConfig =
  | { kind: 'file'; folder: string }
  | {
      kind: 's3';
      bucket: string;
      /** Prefix of all object keys; ends in `/` unless it is empty. */
      prefix: string;
      region?: string;
      /** Address of an S3-compatible server; undefined: AWS. */
      endpoint?: string;
    };

/** Configuration of attachments (API 17.1). */
export interface AttachmentsConfig {
  /** Undefined: attachments are disabled. */
  storage?: StorageConfig;
  /**
   * Folder of unfinished uploads to S3; instances that share it continue each other's resumable uploads. A storage on disk
   * has a folder of its own.
   */
  draftFolder: string;
  /** Origin and path prefix under which clients reach the service; the prefix of the URLs of files. */
  publicUrl: string;
  /** Secret that signs the URLs of files. Undefined: attachments are disabled. */
  filesSecret?: string;
  /** URL to which every uploaded file is sent for a scan; undefined: files are not scanned. */
  scanUrl?: string;
  /** Maximum size of an uploaded file. */
  maxBytes: number;
  /** Maximum size of the files of one user; 0: no limit. */
  quotaBytes: number;
  /** Time for which the URL of a file stays the same. It is valid for once to twice that. */
  urlSeconds: number;
}

const HOUR_SECONDS = 3_600;
/** Ten years: the maximum of `EVENT_RETENTION_HOURS`. */
const MAX_URL_SECONDS = 87_600 * HOUR_SECONDS;
const MAX_FILE_BYTES = 5 * 1024 ** 3;

/**
 * Reads the variables for attachments. Without `ATTACHMENT_STORAGE`, production disables attachments; other modes store
 * files in `./data/attachments`.
 * @param defaults `urlSeconds`: retention of events, so that the URLs of a stored event are valid as long as the event
 */
export function readAttachments(
  read: EnvReader,
  { isProduction, port, urlSeconds }: { isProduction: boolean; port: number; urlSeconds: number },
): AttachmentsConfig {
  const storage = readStorage(read, isProduction ? undefined : 'file:./data/attachments');
  const publicUrl = read.url('PUBLIC_URL', ['http', 'https']);
  const filesSecret = read.secret('FILES_SECRET', isProduction);
  if (isProduction && storage !== undefined) {
    if (publicUrl === undefined) read.problem('PUBLIC_URL must be set with ATTACHMENT_STORAGE');
    if (filesSecret === undefined) read.problem('FILES_SECRET must be set with ATTACHMENT_STORAGE');
  }
  return {
    storage,
    draftFolder: read.text('ATTACHMENT_DRAFTS') ?? 'data/attachment-drafts',
    publicUrl: (publicUrl ?? `http://localhost:${port}`).replace(/\/+$/, ''),
    filesSecret,
    scanUrl: read.url('ATTACHMENT_SCAN_URL', ['http', 'https']),
    maxBytes: read.integer('ATTACHMENT_MAX_BYTES', 104_857_600, 1, MAX_FILE_BYTES),
    quotaBytes: read.integer('ATTACHMENT_QUOTA_BYTES', 10_737_418_240, 0, Number.MAX_SAFE_INTEGER),
    urlSeconds: read.integer('ATTACHMENT_URL_SECONDS', urlSeconds, 1, MAX_URL_SECONDS),
  };
}

/** Reads `file:folder` or `s3://bucket/prefix?region=&endpoint=`; `off` disables attachments. */
function readStorage(read: EnvReader, fallback: string | undefined): StorageConfig | undefined {
  const text = read.text('ATTACHMENT_STORAGE') ?? fallback;
  if (text === undefined || text === 'off') return undefined;
  const folder = /^file:(.+)$/.exec(text)?.[1];
  if (folder !== undefined) return { kind: 'file', folder };
  const url = URL.parse(text);
  const endpoint = url?.searchParams.get('endpoint') ?? undefined;
  const isValid =
    url?.protocol === 's3:' && url.hostname !== '' && (endpoint === undefined || isWebOrigin(endpoint));
  if (isValid) {
    const prefix = url.pathname.replaceAll(/^\/+|\/+$/g, '');
    return {
      kind: 's3',
      bucket: url.hostname,
      prefix: prefix === '' ? '' : `${prefix}/`,
      region: url.searchParams.get('region') ?? undefined,
      endpoint,
    };
  }
  read.problem(
    'ATTACHMENT_STORAGE must be off, file:folder or s3://bucket/prefix?region=…&endpoint=https://…',
  );
  return undefined;
}

const isWebOrigin = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');
