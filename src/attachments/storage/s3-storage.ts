import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type * as S3 from '@aws-sdk/client-s3';
import { BusinessError } from '../../common/errors/business-error';
import { counted } from '../../common/streamed-buffers';
import type { StorageConfig } from '../../config/attachments-config';
import type { ByteRange } from '../rules/byte-range.rules';
import { FileStorage, type ServedAs } from './file-storage';

/** Validity of the URLs to which downloads are redirected. Must exceed the cache time of the redirect. */
const URL_SECONDS = 300;
const CONNECT_TIMEOUT_MS = 3_000;
/** Time without a byte after which a request to the storage fails. */
const SOCKET_TIMEOUT_MS = 10_000;
/** Attempts of a request, the first one included. Uploads are not repeated for longer than a client waits. */
const MAX_ATTEMPTS = 2;

/** The errors of requests are logged with the response, not by the SDK. */
const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

type S3Config = Extract<StorageConfig, { kind: 's3' }>;

/** The SDK, loaded with the first file: it takes 30 MB of memory, and only this storage needs it. */
async function connect({ region, endpoint }: S3Config) {
  const sdk = await import('@aws-sdk/client-s3');
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
  const client = new sdk.S3Client({
    region: region ?? 'us-east-1',
    // Servers other than AWS have no host name per bucket.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    // Servers other than AWS do not know the checksums that the SDK adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: SILENT,
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SOCKET_TIMEOUT_MS },
  });
  return { sdk, client, getSignedUrl };
}

/**
 * Stores files in a bucket of S3 or a compatible server. Clients fetch them there, by URLs that this service signs for
 * them. Credentials are those of the SDK: `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or the role of the machine.
 */
export class S3Storage extends FileStorage {
  #connection?: ReturnType<typeof connect>;

  constructor(
    private readonly config: S3Config,
    drafts: string,
  ) {
    super(drafts);
  }

  /** Not in parts: one request either stores the file or nothing. */
  override async put(key: string, path: string): Promise<void> {
    const { sdk, client } = await this.#connect();
    const { size } = await stat(path);
    const body = counted(createReadStream(path));
    try {
      await client.send(new sdk.PutObjectCommand({ ...this.#object(key), Body: body, ContentLength: size }));
    } finally {
      body.destroy();
    }
  }

  override async open(key: string, range: ByteRange | undefined): Promise<Readable> {
    const { sdk, client } = await this.#connect();
    try {
      const { Body } = await client.send(
        new sdk.GetObjectCommand({
          ...this.#object(key),
          Range: range && `bytes=${range.from}-${range.to}`,
        }),
      );
      return Body as Readable;
    } catch (error) {
      if (error instanceof sdk.NoSuchKey) throw new BusinessError('ATTACHMENT_NOT_FOUND');
      throw new BusinessError('UNAVAILABLE', { cause: error });
    }
  }

  /** The type and the disposition are signed, so they cannot be changed. */
  override async redirect(key: string, { contentType, disposition }: ServedAs): Promise<string> {
    const { sdk, client, getSignedUrl } = await this.#connect();
    const command: S3.GetObjectCommand = new sdk.GetObjectCommand({
      ...this.#object(key),
      ResponseContentType: contentType,
      ResponseContentDisposition: disposition ?? 'inline',
      ResponseCacheControl: `private, max-age=${URL_SECONDS}`,
    });
    return getSignedUrl(client, command, { expiresIn: URL_SECONDS });
  }

  override async delete(key: string): Promise<void> {
    const { sdk, client } = await this.#connect();
    await client.send(new sdk.DeleteObjectCommand(this.#object(key)));
  }

  #object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.config.bucket, Key: this.config.prefix + key };
  }

  #connect(): ReturnType<typeof connect> {
    return (this.#connection ??= connect(this.config));
  }
}
