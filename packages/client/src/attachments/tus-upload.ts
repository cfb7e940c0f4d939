import { CallboardError, isSessionOver, throwIfAborted } from '../errors.js';
import { Backoff } from '../events/backoff.js';
import type { AttachmentResponse } from '../generated/types.gen.js';
import { unwrapEnvelope } from '../http/envelope.js';
import type { RawResponse } from '../http/raw-request.js';
import type { RawParts, Transport } from '../http/transport.js';
import type { ByteSource } from './byte-source.js';
import type { StoredDraft } from './upload-store.js';

const PATH = '/api/attachments/tus';
/** Size of one request. A lost connection costs at most one of them, and a stream keeps one of them in memory. */
const PIECE_BYTES = 4 * 1024 * 1024;
/** Failures without a byte of progress before the upload is given up: about two minutes. */
const MAX_FAILURES = 8;
/** Another request is still writing the draft, or has written more of it: the offset is read again. */
const CONFLICTS: ReadonlySet<number> = new Set([409, 423, 460]);
const GONE: ReadonlySet<number> = new Set([403, 404, 410]);

export interface TusUploadOptions {
  /** Names and values of `Upload-Metadata`. */
  metadata: Record<string, string>;
  draft: StoredDraft;
  /** Id of the user who owns the draft. The upload ends with `signed_out` when another user signs in. */
  userId: number;
  signal?: AbortSignal;
  onProgress?: (sentBytes: number) => void;
}

/**
 * One upload by the tus 1.0 protocol. After a failure it reads the offset that the service has stored and goes on from there,
 * at any instance of the service.
 */
export class TusUpload {
  readonly #transport: Transport;
  readonly #source: ByteSource;
  readonly #options: TusUploadOptions;
  #id: string | undefined;
  #failures = 0;
  /** Bytes that the service has stored; more of them are progress, also when the response to them was lost. */
  #stored = 0;

  constructor(transport: Transport, source: ByteSource, options: TusUploadOptions) {
    this.#transport = transport;
    this.#source = source;
    this.#options = options;
  }

  /**
   * Uploads the source. Retries transient errors. After the last one, and after the end of the session, the draft stays stored,
   * so that another upload of the same file goes on.
   * @throws {CallboardError} the service's error, or the reason why there is no response
   * @throws {unknown} the signal's reason, if it aborted; the draft is then deleted
   */
  async run(): Promise<AttachmentResponse> {
    const { signal, draft } = this.#options;
    const backoff = new Backoff();
    this.#id = await draft.find();
    for (;;) {
      try {
        return await this.#attempt();
      } catch (error) {
        if (signal?.aborted) this.#terminate();
        throwIfAborted(signal);
        this.#failures += 1;
        if (!(error instanceof CallboardError) || !(isTransient(error) || isSessionOver(error)))
          await draft.forget();
        else if (isTransient(error) && this.#failures < MAX_FAILURES) {
          await backoff.wait(signal, error);
          continue;
        }
        throw error;
      }
    }
  }

  async #attempt(): Promise<AttachmentResponse> {
    const { onProgress, draft } = this.#options;
    let offset = (await this.#readOffset()) ?? (await this.#create());
    for (;;) {
      if (offset > this.#stored) this.#failures = 0;
      this.#stored = offset;
      onProgress?.(offset);
      const stored = await this.#sendPiece(offset);
      if (stored === undefined) {
        this.#failures += 1;
        offset = await this.#create();
        continue;
      }
      if (typeof stored !== 'number') {
        onProgress?.(this.#source.size);
        await draft.forget();
        return stored;
      }
      offset = stored;
    }
  }

  /** Returns the number of bytes that the service has; undefined if there is no draft, or it expired. */
  async #readOffset(): Promise<number | undefined> {
    if (this.#id === undefined) return undefined;
    const response = await this.#send(`/${this.#id}`, { method: 'HEAD' });
    const offset = offsetOf(response);
    if (offset !== undefined && offset <= this.#source.size) return offset;
    // A response to HEAD has no envelope.
    if (response.status === 401) throw new CallboardError('signed_out', undefined, { status: 401 });
    if (response.status >= 500 || response.status === 429) throw errorOf(response);
    await this.#forget();
    return undefined;
  }

  async #create(): Promise<number> {
    const { metadata, draft } = this.#options;
    const response = await this.#send('', {
      method: 'POST',
      headers: {
        'Upload-Length': String(this.#source.size),
        'Upload-Metadata': Object.entries(metadata)
          .map(([name, value]) => `${name} ${toBase64(value)}`)
          .join(','),
      },
    });
    // Only the last segment is used: behind a proxy the service may not know its own address.
    const id = /([^/?#]+)\/?(?:[?#].*)?$/.exec(response.headers.get('Location') ?? '')?.[1];
    if (response.status !== 201 || id === undefined) throw errorOf(response);
    this.#id = id;
    await draft.keep(id);
    return 0;
  }

  /**
   * Sends the piece at `offset`. Returns the next offset, or the attachment after the last piece; undefined if the draft has
   * expired.
   */
  async #sendPiece(offset: number): Promise<number | AttachmentResponse | undefined> {
    const { onProgress } = this.#options;
    // A draft whose last response was lost is complete: an empty piece returns the attachment.
    const response = await this.#send(`/${this.#id}`, {
      method: 'PATCH',
      headers: { 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' },
      body: await this.#source.read(offset, PIECE_BYTES),
      onProgress: onProgress === undefined ? undefined : (sent) => onProgress(offset + sent),
    });
    if (GONE.has(response.status) && this.#failures < MAX_FAILURES) {
      await this.#forget();
      return undefined;
    }
    if (response.text !== '') return unwrapEnvelope<AttachmentResponse>(response, response.text).data;
    const stored = offsetOf(response);
    if (response.status >= 300 || stored === undefined || stored <= offset) throw errorOf(response);
    return stored;
  }

  /** Forgets a draft that expired. @throws {RangeError} if the source cannot be read from its start */
  async #forget(): Promise<void> {
    this.#id = undefined;
    await this.#options.draft.forget();
    if (!this.#source.isRepeatable) throw new RangeError('The upload of the stream has expired');
  }

  /** Deletes the draft without waiting. If that fails, the draft expires. */
  #terminate(): void {
    void this.#options.draft.forget();
    if (this.#id === undefined) return;
    const { userId } = this.#options;
    const headers = { 'Tus-Resumable': '1.0.0' };
    this.#transport
      .sendRaw(`${PATH}/${this.#id}`, { method: 'DELETE', headers, userId })
      .catch(() => undefined);
  }

  #send(path: string, { headers, ...parts }: RawParts): Promise<RawResponse> {
    return this.#transport.sendRaw(PATH + path, {
      ...parts,
      headers: { 'Tus-Resumable': '1.0.0', ...headers },
      signal: this.#options.signal,
      userId: this.#options.userId,
    });
  }
}

function offsetOf({ headers }: RawResponse): number | undefined {
  const header = headers.get('Upload-Offset');
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}

/** Returns the error of a response; `not_callboard` with its status if it has no envelope. */
function errorOf(response: RawResponse): CallboardError {
  try {
    unwrapEnvelope(response, response.text);
  } catch (error) {
    return error as CallboardError;
  }
  return new CallboardError('not_callboard', undefined, { status: response.status });
}

const isTransient = (error: CallboardError): boolean =>
  error.isTransient || (CONFLICTS.has(error.status) && error.key !== 'STORAGE_FULL');

/** Returns the UTF-8 bytes of a text in Base64. */
const toBase64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
