import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Lock, Locker, Server } from '@tus/server';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BusinessError } from '../../../common/errors/business-error';
import type { UserId } from '../../../common/ids';
import { CONFIG, type Config } from '../../../config/config';
import type { AttachmentEntity } from '../../entities/attachment.entity';
import { tusError } from '../../rules/tus-errors.rules';
import { UploadSlots } from '../upload-slots';
import { CHECKSUM_ALGORITHMS } from './body-checksum';
import { UploadAccess } from './upload-access';
import { openBody } from './upload-body';
import { UploadCompletion } from './upload-completion';
import { UploadLocks } from './upload-locks';
import { EXTENSIONS, type UploadExchange, UploadStore } from './upload-store';

/** Path of the endpoint of the tus protocol. */
export const TUS_PATH = '/api/attachments/tus';
export const TUS_VERSION = '1.0.0';
const ID_BYTES = 16;
/** Time for which the request that has the lock may still receive bytes after it was asked to release it. */
const DRAIN_MS = 100;

/** The response of the protocol; `attachment` if the upload is complete. */
export interface TusResponse {
  status: number;
  headers: Record<string, string>;
  attachment?: AttachmentEntity;
}

/** Receives files in several requests, by the tus protocol (API 17.2). */
@Injectable()
export class ResumableUploadsService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly access: UploadAccess,
    private readonly locks: UploadLocks,
    private readonly completion: UploadCompletion,
    private readonly slots: UploadSlots,
  ) {}

  /** Returns the headers that describe the endpoint. */
  options(): Record<string, string> {
    return {
      'Tus-Resumable': TUS_VERSION,
      'Tus-Version': TUS_VERSION,
      'Tus-Extension': EXTENSIONS.join(','),
      'Tus-Max-Size': String(this.config.attachments.maxBytes),
      'Tus-Checksum-Algorithm': CHECKSUM_ALGORITHMS.join(','),
    };
  }

  /**
   * Responds to a request of the protocol. The last bytes of a file are examined as those of a form.
   * @param id the upload; undefined: a new one
   * @throws {BusinessError} those of `tusError`, `UploadLocks.take`, `UploadStore` and `AttachmentIntake.accept`
   */
  respond(userId: UserId, request: FastifyRequest, id?: string): Promise<TusResponse> {
    const exchange: UploadExchange = { userId, request };
    const respond = async (): Promise<TusResponse> => {
      try {
        return await this.#respond(exchange, id);
      } catch (error) {
        // The client has not received the id, so it cannot continue the upload, whose size counts for the quota.
        if (exchange.created !== undefined) await this.access.discard(exchange.created);
        throw error;
      }
    };
    return request.method === 'PATCH' || request.method === 'POST'
      ? this.slots.run({ userId, by: 'tus' }, respond, ({ attachment }) => attachment?.size)
      : respond();
  }

  async #respond(exchange: UploadExchange, id: string | undefined): Promise<TusResponse> {
    const { method, headers, raw } = exchange.request;
    if (headers['tus-resumable'] !== TUS_VERSION) throw new BusinessError('TUS_VERSION');
    const isStreamed = method === 'PATCH' || (method === 'POST' && hasBytes(headers));
    if (method === 'PATCH' && !hasBytes(headers)) throw new BusinessError('UNSUPPORTED_MEDIA_TYPE');
    const server = await this.#server(exchange);
    const { body, close } = openBody(isStreamed ? raw : undefined);
    try {
      const response = await server.handleWeb(
        new Request(`http://localhost${TUS_PATH}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`, {
          method,
          headers: protocolHeaders(headers),
          body,
          duplex: 'half',
        }),
      );
      if (exchange.error !== undefined) throw exchange.error;
      if (response.status >= 400) throw tusError(response.status, await response.text());
      return { ...(await this.#withExpiry(response, id)), attachment: exchange.attachment };
    } finally {
      close();
    }
  }

  /** Returns a server of the package whose hooks belong to this request; it has no state of its own. */
  async #server(exchange: UploadExchange): Promise<Server> {
    const { Server: TusServer } = await import('@tus/server');
    const { userId, request } = exchange;
    return new TusServer({
      path: TUS_PATH,
      relativeLocation: true,
      maxSize: this.config.attachments.maxBytes,
      lockDrainTimeout: DRAIN_MS,
      namingFunction: () => randomBytes(ID_BYTES).toString('hex'),
      locker: this.#locker(exchange),
      datastore: new UploadStore(this.access, exchange),
      onUploadFinish: async (_request, upload) => {
        exchange.attachment = await this.completion.finish(userId, upload.id);
        return request.method === 'PATCH' ? { status_code: 200 } : {};
      },
      onResponseError: (_request, error) => {
        exchange.error = error instanceof Error ? error : undefined;
        return undefined;
      },
    });
  }

  /** The package takes the lock of a new upload too, which has no row yet. */
  #locker(exchange: UploadExchange): Locker {
    const newLock = (id: string): Lock => ({
      lock: async (_signal, onWanted) => {
        if (exchange.request.method === 'POST') return;
        exchange.lock = await this.locks.take(id, () => void onWanted());
        if (exchange.lock === undefined) throw new BusinessError('ATTACHMENT_NOT_FOUND');
      },
      unlock: async () => exchange.lock?.release(),
    });
    return { newLock };
  }

  /** Adds when an incomplete upload expires, and leaves CORS to `CORS_ORIGINS`. */
  async #withExpiry(response: Response, id: string | undefined): Promise<TusResponse> {
    const headers = Object.fromEntries(
      Array.from(response.headers).filter(([name]) => !name.startsWith('access-control-')),
    );
    const created = response.headers.get('location')?.split('/').at(-1);
    const uploadId = id ?? created;
    const upload = uploadId === undefined ? undefined : await this.access.find(uploadId);
    return {
      status: response.status,
      headers: {
        ...headers,
        ...(upload?.attachment_id === null && { 'Upload-Expires': upload.expires_at.toUTCString() }),
      },
    };
  }
}

const hasBytes = (headers: IncomingHttpHeaders): boolean =>
  headers['content-type'] === 'application/offset+octet-stream';

/** The headers that the package reads. It would reject unusual values of others, such as those of proxies. */
const PROTOCOL_HEADERS = [
  'tus-resumable',
  'upload-length',
  'upload-offset',
  'upload-metadata',
  'upload-defer-length',
  'upload-concat',
  'content-type',
  'content-length',
];

const protocolHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    PROTOCOL_HEADERS.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
