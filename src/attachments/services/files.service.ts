import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../../common/clock';
import { BusinessError } from '../../common/errors/business-error';
import { addressKey } from '../../common/server/address-key';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import { RequestRate } from '../../rate-limit/request-rate';
import type { FileQuery } from '../dto/file.dto';
import type { AttachmentEntity } from '../entities/attachment.entity';
import { readRange } from '../rules/byte-range.rules';
import { attachmentDisposition } from '../rules/file-name.rules';
import { type SignedFile, verified } from '../rules/signed-url.rules';
import { FileStorage, type ServedAs } from '../storage/file-storage';
import { attachmentById } from '../store/attachment.store';
import { fileOf } from '../views/attachment.views';
import { avatarKey, thumbnailKey } from './attachment-intake';
import { DownloadSlots } from './download-slots';

/** Cache time of a redirect to the storage, below the validity of its URL of 300 s. */
const REDIRECT_SECONDS = 240;
/** Cache time of URLs that do not expire. */
const YEAR_SECONDS = 31_536_000;

/** The bytes of a URL. */
interface RequestedFile extends ServedAs {
  key: string;
  size: number;
  etag: string;
}

/** A response without its envelope. */
export interface FileResponse {
  status: number;
  headers: OutgoingHttpHeaders;
  body?: Readable;
}

/** Sends the bytes of attachments to everybody who has a signed URL (API 17.4). */
@Injectable()
export class FilesService {
  readonly #slots = new DownloadSlots();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly storage: FileStorage,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly rate: RequestRate,
  ) {}

  /**
   * Returns the response to a GET or HEAD of a URL. Requests with a wrong signature count for the general rate limit.
   * @throws {BusinessError} FORBIDDEN (the signature is wrong, or the URL has expired), ATTACHMENT_NOT_FOUND (deleted),
   *   TOO_MANY_REQUESTS, UNAVAILABLE while too many downloads are running
   */
  async respond(
    request: FastifyRequest,
    reply: FastifyReply,
    file: string,
    query: FileQuery,
  ): Promise<FileResponse> {
    const signed = await this.#verify(request, file, query);
    const attachment = await this.#find(file);
    const requested = requestedOf(attachment, signed);
    const validSeconds =
      signed.expires === null
        ? YEAR_SECONDS
        : Math.max(0, Math.floor(signed.expires - this.clock.now().getTime() / 1000));
    const headers: OutgoingHttpHeaders = {
      'Cache-Control': `private, max-age=${validSeconds}, immutable`,
      ETag: requested.etag,
      'Accept-Ranges': 'bytes',
    };
    if (matches(request.headers['if-none-match'], requested.etag)) return { status: 304, headers };
    // A signature is valid for one method, and the row has all that HEAD returns.
    const location =
      request.method === 'HEAD' ? undefined : await this.storage.redirect(requested.key, requested);
    if (location !== undefined)
      return {
        status: 302,
        headers: { Location: location, 'Cache-Control': `private, max-age=${REDIRECT_SECONDS}` },
      };
    return this.#send(request, reply, requested, headers);
  }

  async #verify(request: FastifyRequest, file: string, query: FileQuery): Promise<SignedFile> {
    const { filesSecret: secret = '' } = this.config.attachments;
    const signed = verified(file, query, { secret, now: this.clock.now() });
    if (signed !== undefined) return signed;
    await this.rate.count(request);
    throw new BusinessError('FORBIDDEN');
  }

  async #find(file: string): Promise<AttachmentEntity> {
    const attachment = await attachmentById(this.transactions.read(), Number.parseInt(file, 10));
    if (attachment?.status !== 'ready' || fileOf(attachment) !== file)
      throw new BusinessError('ATTACHMENT_NOT_FOUND');
    return attachment;
  }

  async #send(
    { headers: sent, method, ip }: FastifyRequest,
    reply: FastifyReply,
    { key, size, etag, contentType, disposition }: RequestedFile,
    headers: OutgoingHttpHeaders,
  ): Promise<FileResponse> {
    const ifRange = sent['if-range'];
    const range = ifRange === undefined || ifRange === etag ? readRange(sent.range, size) : undefined;
    if (range === 'unsatisfiable') return { status: 416, headers: { 'Content-Range': `bytes */${size}` } };
    const { from, to } = range ?? { from: 0, to: size - 1 };
    const response = {
      status: range === undefined ? 200 : 206,
      headers: {
        ...headers,
        'Content-Type': contentType,
        'Content-Length': to - from + 1,
        ...(disposition === undefined ? {} : { 'Content-Disposition': disposition }),
        ...(range === undefined ? {} : { 'Content-Range': `bytes ${from}-${to}/${size}` }),
      },
    };
    if (method === 'HEAD') return { ...response, body: Readable.from([]) };
    this.#slots.take(reply.raw, addressKey(ip));
    // With an end, no further read looks for the end of the file.
    return { ...response, body: await this.storage.open(key, { from, to }) };
  }
}

/** Pictures, audio and video are shown inline, as the type of their bytes; files are only ever saved. */
function requestedOf(attachment: AttachmentEntity, { variant }: SignedFile): RequestedFile {
  const { storage_key, type, mime_type, name, size, stored_bytes, avatar_bytes } = attachment;
  if (variant === 'avatar') {
    if (avatar_bytes === null) throw new BusinessError('ATTACHMENT_NOT_FOUND');
    const key = avatarKey(attachment);
    return { key, size: avatar_bytes, etag: `"${key}"`, contentType: 'image/webp' };
  }
  if (variant === 'thumbnail') {
    if (!attachment.has_thumbnail) throw new BusinessError('ATTACHMENT_NOT_FOUND');
    const key = thumbnailKey(attachment);
    return { key, size: stored_bytes - size, etag: `"${key}"`, contentType: 'image/webp' };
  }
  const stored = { key: storage_key, size, etag: `"${storage_key}"` };
  return type === 'file'
    ? { ...stored, contentType: 'application/octet-stream', disposition: attachmentDisposition(name) }
    : { ...stored, contentType: mime_type ?? 'application/octet-stream' };
}

const matches = (header: string | undefined, etag: string): boolean =>
  header === '*' || (header ?? '').split(',').some((item) => item.trim().replace(/^W\//, '') === etag);
