import { pause } from '../environment.js';
import { CallboardError } from '../errors.js';
import type {
  AttachmentResponse,
  ConversationResponse,
  MeResponse,
  MessageResponse,
} from '../generated/types.gen.js';
import { unwrapEnvelope } from '../http/envelope.js';
import { waitBeforeRetry } from '../http/retry.js';
import type { Transport } from '../http/transport.js';
import { blobSource, type ByteSource, streamSource, type UploadStream } from './byte-source.js';
import { memoryUploadStore, StoredDraft, type UploadStore } from './upload-store.js';

export type Attachment = AttachmentResponse;

/** Larger files are uploaded in pieces, so that they can be resumed. */
const MAX_FORM_BYTES = 8 * 1024 * 1024;
/** Pictures that the service accepts as `image`. Others, such as SVG, are uploaded as `file`. */
const IMAGE_TYPES = /^image\/(?:jpeg|png|webp|gif|heic|heif)$/;
const RECORDING_TYPES = /^(audio|video)\//;

export interface UploadOptions {
  /** Type of the message in which the file will be sent. Default: by the media type of the file, otherwise `file`. */
  type?: Attachment['type'];
  /** Name of the file. Default: that of a `File`. */
  name?: string;
  /** Duration of a recording in whole seconds. */
  duration?: number;
  /** Cancels the upload and deletes its draft. */
  signal?: AbortSignal;
  /**
   * Called with the bytes that were sent and the size of the file. After a failure the bytes can become fewer. Where the
   * environment does not report them, as in Node, it is called before and after each request.
   */
  onProgress?: (sentBytes: number, totalBytes: number) => void;
  /**
   * Where unfinished uploads are remembered, such as `localStorage`: after a reload, uploading the same `File` again goes on.
   * Other blobs and streams are not remembered. Default: the memory of this client.
   */
  store?: UploadStore;
}

/** Files of messages and avatars. The rules of the service: docs/api/attachments.md. */
export class Attachments {
  readonly #transport: Transport;
  readonly #getUserId: () => Promise<number>;
  readonly #store = memoryUploadStore();

  constructor(transport: Transport, getUserId: () => Promise<number>) {
    this.#transport = transport;
    this.#getUserId = getUserId;
  }

  /**
   * Uploads a file. Send it with `messages.send`, `type` of the attachment and its id in `attachment_ids`. Files above 8 MiB
   * are sent in pieces and go on after failures of the network; smaller ones are sent again as a whole. A stream is cancelled
   * at the end, also after an error.
   * @throws {CallboardError} the service's error (`TOO_LARGE` bodies are 413), or the reason why there is no response
   * @throws {RangeError} if a stream ends before its size, or its draft has expired
   * @throws {unknown} the signal's reason, if it aborted
   */
  async upload(file: Blob | UploadStream, options: UploadOptions = {}): Promise<Attachment> {
    const { size } = file;
    const source: ByteSource = file instanceof Blob ? blobSource(file) : streamSource(file);
    try {
      if (size > MAX_FORM_BYTES) return await this.#uploadPieces(file, source, options);
      // A small stream is read completely: a form cannot be resumed.
      return await this.#uploadForm(file instanceof Blob ? file : await source.read(0, size), options);
    } finally {
      source.close();
    }
  }

  /**
   * Uploads a picture and makes it the user's avatar, or that of a group. The service cuts its centre to 256 × 256 pixels.
   * @param options `conversationId`: the group; default: the user's own avatar
   * @throws {CallboardError} also 403 if users cannot edit profiles, or the user may not change the group
   */
  async uploadAvatar(
    file: Blob,
    options: UploadOptions & { conversationId: number },
  ): Promise<ConversationResponse>;
  async uploadAvatar(file: Blob, options?: UploadOptions): Promise<MeResponse>;
  async uploadAvatar(
    file: Blob,
    { conversationId, ...options }: UploadOptions & { conversationId?: number } = {},
  ): Promise<ConversationResponse | MeResponse> {
    const { signal } = options;
    const { userId } = this.#transport;
    const { id } = await this.upload(file, { ...options, type: 'image' });
    const body = { avatar_attachment_id: id };
    if (conversationId === undefined)
      return (
        await this.#transport.send<MeResponse>('changeProfile PUT /api/auth/me', { body, signal, userId })
      ).data;
    const operation = 'changeConversation PUT /api/messages/conversations/{id}';
    const path = { id: conversationId };
    return (await this.#transport.send<ConversationResponse>(operation, { path, body, signal, userId })).data;
  }

  /**
   * Returns the attachments of a message with URLs that are valid now, for a download long after the message was fetched.
   * @throws {CallboardError} 404 if the message was recalled or is not visible
   */
  async ofMessage(messageId: number, { signal }: { signal?: AbortSignal } = {}): Promise<Attachment[]> {
    const operation = 'getMessage GET /api/messages/{id}';
    const { data } = await this.#transport.send<MessageResponse>(operation, {
      path: { id: messageId },
      signal,
    });
    return data.attachments;
  }

  async #uploadForm(blob: Blob, options: UploadOptions): Promise<Attachment> {
    const { signal, onProgress } = options;
    const { userId } = this.#transport;
    const form = new FormData();
    for (const [name, value] of Object.entries(fieldsOf(blob, options))) form.append(name, value);
    form.append('file', blob, nameOf(blob, options));
    const report = progressOf(blob.size, onProgress);
    for (let attempt = 0; ; attempt += 1) {
      try {
        report?.(0);
        const response = await this.#transport.sendRaw('/api/attachments', {
          method: 'POST',
          body: form,
          signal,
          userId,
          onProgress: report,
        });
        const { data } = unwrapEnvelope<Attachment>(response, response.text);
        report?.(blob.size);
        return data;
      } catch (error) {
        if (!(error instanceof CallboardError)) throw error;
        // An upload whose response was lost is stored twice; the service deletes the one that is not sent.
        const wait = waitBeforeRetry(error, attempt, true);
        if (wait === undefined) throw error;
        await pause(wait, signal);
      }
    }
  }

  async #uploadPieces(
    file: Blob | UploadStream,
    source: ByteSource,
    options: UploadOptions,
  ): Promise<Attachment> {
    const { signal, onProgress, store = this.#store } = options;
    const metadata = { filename: nameOf(file, options), ...fieldsOf(file, options) };
    const userId = await this.#getUserId();
    const changed = file instanceof File ? file.lastModified : 0;
    const key = ['callboard-upload', userId, ...Object.values(metadata), file.size, changed].join(':');
    // Only a `File` can be recognised: another blob or stream can have the same name and size, but different bytes.
    const draft = new StoredDraft(file instanceof File ? store : memoryUploadStore(), key);
    const report = progressOf(file.size, onProgress);
    // Few files are that large: apps load this code with the first one.
    const { TusUpload } = await import('./tus-upload.js').catch((cause: unknown) => {
      throw new CallboardError('network', undefined, { cause });
    });
    const upload = { metadata, draft, userId, signal, onProgress: report };
    return new TusUpload(this.#transport, source, upload).run();
  }
}

/** Limits the sent bytes to the size of the file: a form has further bytes. */
const progressOf = (
  size: number,
  onProgress: UploadOptions['onProgress'],
): ((sent: number) => void) | undefined => onProgress && ((sent) => onProgress(Math.min(sent, size), size));

function nameOf(file: Blob | UploadStream, { name }: UploadOptions): string {
  return name ?? (file instanceof File ? file.name : 'file');
}

/** Returns the fields of an upload besides the file. */
function fieldsOf(
  file: Blob | UploadStream,
  { type = file instanceof Blob ? typeOf(file.type) : 'file', duration }: UploadOptions,
): Record<string, string> {
  return { type, ...(duration === undefined ? {} : { duration: String(duration) }) };
}

function typeOf(mediaType: string): Attachment['type'] {
  if (IMAGE_TYPES.test(mediaType)) return 'image';
  return (RECORDING_TYPES.exec(mediaType)?.[1] as 'audio' | 'video' | undefined) ?? 'file';
}
