import { createHash, type Hash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { DataStore, Upload } from '@tus/server';
import type { FastifyRequest } from 'fastify';
import { BusinessError } from '../../../common/errors/business-error';
import type { UserId } from '../../../common/ids';
import type { AttachmentEntity } from '../../entities/attachment.entity';
import type { ResumableUploadEntity } from '../../entities/resumable-upload.entity';
import { changeLocked } from '../../store/resumable-uploads.store';
import { type BodyChecksum, checksumOf } from './body-checksum';
import type { UploadAccess } from './upload-access';
import { parseMetadata } from './upload-metadata';
import type { UploadLock } from './upload-locks';

/** Bytes after which the received length is stored; a killed process loses at most so many. */
const CHECKPOINT_BYTES = 8 * 1024 * 1024;

/** Extensions of the protocol. `@tus/server` itself has no checksums. */
export const EXTENSIONS = ['creation', 'creation-with-upload', 'termination', 'expiration', 'checksum'];

/** State of one request. */
export interface UploadExchange {
  userId: UserId;
  request: FastifyRequest;
  /** Id of the upload that the request has created. */
  created?: string;
  /** The lock that the request has; undefined for a new upload, whose id no other request knows. */
  lock?: UploadLock;
  attachment?: AttachmentEntity;
  /** The error of one of our steps, which the package converts to a response of its own. */
  error?: unknown;
}

/**
 * The store of `@tus/server` for one request: the length of an upload is in its row, its bytes are in a draft file. Other
 * users' uploads do not exist in it. The package checks offsets and lengths.
 */
export class UploadStore extends EventEmitter implements DataStore {
  readonly extensions = EXTENSIONS;
  readonly #checksum: BodyChecksum | undefined;

  constructor(
    private readonly access: UploadAccess,
    private readonly exchange: UploadExchange,
  ) {
    super();
    this.#checksum = checksumOf(exchange.request.headers);
  }

  hasExtension(extension: string): boolean {
    return this.extensions.includes(extension);
  }

  async create(upload: Upload): Promise<Upload> {
    await this.access.create(this.exchange.userId, upload);
    this.exchange.created = upload.id;
    const file = await this.#open(upload.id, 'wx');
    await file.close();
    return upload;
  }

  /** @throws {BusinessError} ATTACHMENT_NOT_FOUND: unknown, expired or of another user */
  async getUpload(id: string): Promise<Upload> {
    const { Upload: TusUpload } = await import('@tus/server');
    const { size, received, metadata } = await this.#find(id);
    return new TusUpload({
      id,
      size,
      offset: received,
      metadata: parseMetadata(metadata),
    });
  }

  /**
   * Appends the body of a request. The length that is stored never exceeds what is synchronised to the disk, so that
   * another instance continues there after a crash. If the connection breaks, the received bytes are kept; with a
   * checksum, either the whole body is kept or nothing.
   * @returns the new length
   * @throws {BusinessError} CHECKSUM_MISMATCH; UNAVAILABLE: the disk is full, or the lock was lost
   */
  async write(body: Readable, id: string, offset: number): Promise<number> {
    const checksum = this.#checksum;
    const hash = checksum && createHash(checksum.algorithm);
    let file: FileHandle | undefined;
    let length = offset;
    let saved = offset;
    const save = async (): Promise<void> => {
      if (file !== undefined && length > saved) await this.#save(file, id, length);
      saved = length;
    };
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        // A complete upload has no draft any more, and its client may send an empty body.
        file ??= await this.#open(id, 'r+');
        await this.#append(file, chunk, length);
        length += chunk.length;
        hash?.update(chunk);
        if (hash === undefined && length - saved >= CHECKPOINT_BYTES) await save();
      }
      assertMatches(hash, checksum);
      await save();
      return length;
    } catch (error) {
      if (hash === undefined) await save();
      throw error;
    } finally {
      await file?.close();
    }
  }

  async remove(id: string): Promise<void> {
    await this.#find(id);
    await this.access.remove(id);
  }

  declareUploadLength(): Promise<void> {
    throw new BusinessError('BAD_REQUEST');
  }

  /** Expired uploads are deleted by the job `attachment_sweep`. */
  deleteExpired(): Promise<number> {
    return Promise.resolve(0);
  }

  /** 0: expiry is compared with the service's clock, by `#find`. */
  getExpiration(): number {
    return 0;
  }

  async #find(id: string): Promise<ResumableUploadEntity> {
    const upload = await this.access.find(id);
    if (upload?.user_id !== this.exchange.userId || upload.expires_at <= this.access.clock.now())
      throw new BusinessError('ATTACHMENT_NOT_FOUND');
    return upload;
  }

  async #open(id: string, flags: 'r+' | 'wx'): Promise<FileHandle> {
    try {
      return await open(await this.access.storage.resumableDraft(id), flags, 0o600);
    } catch (cause) {
      // The folder of drafts is not shared with the instance that has the bytes, or an administrator deleted it.
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') throw new BusinessError('ATTACHMENT_NOT_FOUND');
      throw new BusinessError('UNAVAILABLE', { cause });
    }
  }

  async #append(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
    this.exchange.lock?.assertHeld();
    try {
      for (let written = 0; written < chunk.length;)
        written += (await file.write(chunk, written, chunk.length - written, position + written))
          .bytesWritten;
    } catch (cause) {
      throw new BusinessError('UNAVAILABLE', { cause });
    }
  }

  async #save(file: FileHandle, id: string, received: number): Promise<void> {
    await file.datasync();
    const token = this.exchange.lock?.token ?? null;
    const isSaved = await this.access.transactions.run((em) => changeLocked(em, { id, token }, { received }));
    if (!isSaved) throw new BusinessError('UNAVAILABLE');
  }
}

function assertMatches(hash: Hash | undefined, checksum: BodyChecksum | undefined): void {
  if (hash?.digest('base64') !== checksum?.digest) throw new BusinessError('CHECKSUM_MISMATCH');
}
