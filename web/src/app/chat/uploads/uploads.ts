import { type SendMessageRequest, uniqueId } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { toCallboardError } from '../../../shared/session';
import { claimUpload } from '../claim';
import { discardFrom, onOutboxChange, pendingById, sendFrom } from '../open-chats';
import {
  isDelayed,
  type RecordingParts,
  type StoredUpload,
  toMessages,
  toRequest,
  toStored,
  toUpload,
  toUploadType,
  type Upload,
  type UploadMessage,
  type VoiceMessage,
  withoutExpired,
} from './upload';
import { uploadFile } from './upload-file';
import { findUploads, forgetUpload, keepUpload } from './upload-storage';

/** Uploads at the same time. More would slow down each other. */
const CONCURRENCY = 3;
/** Interval between retries after a transient error. */
const RETRY_MS = 5_000;

const EMPTY: readonly Upload[] = [];

/**
 * Files that are attached in this browser and not sent yet. Each is uploaded at once and stored in the browser until its message is
 * delivered, so that neither a reload nor a lost connection loses it.
 */
class Uploads {
  #uploads: readonly Upload[] = EMPTY;
  readonly #running = new Map<string, AbortController>();
  /** Ids of messages that the outbox of their chat has taken over. */
  readonly #handedOver = new Set<string>();
  /** Ids of messages whose files were uploaded again after the service had deleted them. */
  readonly #repeated = new Set<string>();
  readonly #listeners = new Set<() => void>();
  /** Time of the last attached file: files that are attached together keep their order. */
  #lastAttachedAt = 0;
  /** Results of `of`, so that an unchanged list is the same array. */
  readonly #byConversation = new Map<number, readonly Upload[]>();
  #userId: number | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    addEventListener('online', () => this.#retryTransient());
    onOutboxChange((conversationId) => this.#forgetDelivered(conversationId));
    callboard.session.onChange((user, end) => {
      const hasLeft = user === null ? end === 'logged_out' : (this.#userId ?? user.id) !== user.id;
      if (hasLeft) this.#drop();
      else if (user !== null) this.#retryTransient();
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns the files of a conversation: those in the composer, and those of messages that are not delivered. */
  of(conversationId: number): readonly Upload[] {
    const found = this.#byConversation.get(conversationId);
    if (found !== undefined) return found;
    const uploads = this.#uploads.filter((upload) => upload.conversationId === conversationId);
    const list = uploads.length === 0 ? EMPTY : uploads;
    this.#byConversation.set(conversationId, list);
    return list;
  }

  /** Continues the uploads of a user that an earlier page did not finish. Another tab that is still open keeps its own. */
  async restore(userId: number): Promise<void> {
    if (this.#userId === userId) return;
    this.#userId = userId;
    const claimed: StoredUpload[] = [];
    for (const stored of await findUploads(userId)) {
      const isClaimed = await claimUpload(stored.message?.clientMsgId ?? stored.id);
      if (isClaimed && this.#uploads.every(({ id }) => id !== stored.id))
        claimed.push(withoutExpired(stored));
    }
    this.#set([...this.#uploads, ...claimed.map(toUpload)]);
    // A message is complete only when all of its files have been added.
    for (const id of new Set(claimed.flatMap(({ message }) => message?.clientMsgId ?? [])))
      this.#handOver(id);
    this.#run();
  }

  /** Attaches files to the next message of a conversation and begins to upload them. */
  attach(userId: number, conversationId: number, files: readonly File[]): void {
    for (const file of files) this.#attach(userId, conversationId, file);
  }

  /** Sends a voice message. */
  sendRecording(userId: number, conversationId: number, { replyToId, file, ...parts }: VoiceMessage): void {
    const id = this.#attach(userId, conversationId, file, parts);
    this.#assign([{ id }], { replyToId });
  }

  /**
   * Sends the files in the composer, as soon as they are uploaded: pictures and videos as albums. `caption` is a text that follows
   * them.
   */
  send(
    conversationId: number,
    { replyToId, caption }: { replyToId: number | null; caption?: SendMessageRequest },
  ): void {
    const messages = toMessages(this.of(conversationId).filter(({ message }) => message === undefined));
    for (const [index, message] of messages.entries())
      this.#assign(message, {
        replyToId: index === 0 ? replyToId : null,
        ...(index === messages.length - 1 &&
          caption !== undefined && { caption: { ...caption, client_msg_id: uniqueId() } }),
      });
  }

  /**
   * Cancels an upload and removes its file. The rest of its message is sent without it. Has no effect while the outbox is sending
   * the message, because the service may store it with the file.
   */
  cancel(id: string): void {
    const upload = this.#uploads.find((one) => one.id === id);
    if (upload === undefined) return;
    const { conversationId, message } = upload;
    const isHandedOver = message !== undefined && this.#handedOver.has(message.clientMsgId);
    if (isHandedOver && pendingById(conversationId).get(message.clientMsgId)?.error === undefined) return;
    this.#remove(id);
    if (message === undefined) return;
    if (isHandedOver) this.#replace(conversationId, message);
    else if (this.#ofMessage(message.clientMsgId).length > 0) this.#handOver(message.clientMsgId);
    else if (message.caption !== undefined) sendFrom(conversationId, message.caption);
  }

  /** Uploads a file again after an error. */
  retry(id: string): void {
    this.#change(id, { error: undefined });
    this.#run();
  }

  /** Removes a message that is not delivered, with its files. The caption is a message of its own and is sent without them. */
  discard(clientMsgId: string): void {
    const parts = this.#ofMessage(clientMsgId);
    for (const { id } of parts) this.#remove(id);
    const [{ conversationId, message } = {}] = parts;
    const isHandedOver = this.#handedOver.has(clientMsgId);
    if (conversationId !== undefined && message?.caption !== undefined && !isHandedOver)
      sendFrom(conversationId, message.caption);
  }

  #remove(id: string): void {
    this.#running.get(id)?.abort();
    const upload = this.#uploads.find((one) => one.id === id);
    if (upload === undefined) return;
    URL.revokeObjectURL(upload.url);
    void forgetUpload(id);
    this.#set(this.#uploads.filter((one) => one.id !== id));
  }

  #ofMessage = (clientMsgId: string): Upload[] =>
    this.#uploads.filter(({ message }) => message?.clientMsgId === clientMsgId);

  #attach(userId: number, conversationId: number, file: File, parts?: RecordingParts): string {
    this.#userId = userId;
    this.#lastAttachedAt = Math.max(Date.now(), this.#lastAttachedAt + 1);
    const upload: StoredUpload = {
      id: uniqueId(),
      userId,
      conversationId,
      attachedAt: this.#lastAttachedAt,
      file,
      name: file.name,
      type: toUploadType(file.type),
      ...parts,
    };
    void claimUpload(upload.id);
    void keepUpload(upload);
    this.#set([...this.#uploads, toUpload(upload)]);
    this.#run();
    return upload.id;
  }

  #assign(files: readonly { id: string }[], parts: Omit<UploadMessage, 'clientMsgId'>): void {
    const clientMsgId = uniqueId();
    void claimUpload(clientMsgId);
    for (const { id } of files) this.#change(id, { message: { clientMsgId, ...parts } }, { isKept: true });
    this.#handOver(clientMsgId);
  }

  /** Removes a message from the outbox, and sends its remaining files in a new one, because the outbox does not change messages. */
  #replace(conversationId: number, { clientMsgId, replyToId, caption }: UploadMessage): void {
    const files = this.#ofMessage(clientMsgId);
    // The files of a handed over message that leaves the outbox are forgotten as delivered.
    this.#handedOver.delete(clientMsgId);
    discardFrom(conversationId, clientMsgId);
    if (files.length === 0) return;
    // A caption that is not delivered yet is queued again, behind the new message.
    const isUnsent = discardFrom(conversationId, caption?.client_msg_id ?? '');
    this.#assign(files, { replyToId, caption: isUnsent ? caption : undefined });
  }

  /** Starts as many uploads as may run. */
  #run(): void {
    for (const upload of this.#uploads) {
      if (this.#running.size >= CONCURRENCY) return;
      if (upload.uploaded !== undefined || upload.error !== undefined || this.#running.has(upload.id))
        continue;
      const controller = new AbortController();
      this.#running.set(upload.id, controller);
      void this.#upload(upload, controller.signal).finally(() => {
        this.#running.delete(upload.id);
        this.#run();
      });
    }
  }

  async #upload(upload: Upload, signal: AbortSignal): Promise<void> {
    const { id } = upload;
    try {
      const attachmentId = await uploadFile(upload, {
        signal,
        onProgress: (progress) => this.#change(id, { progress }),
      });
      this.#change(id, { progress: 1, uploaded: { attachmentId, at: Date.now() } }, { isKept: true });
      const clientMsgId = this.#uploads.find((one) => one.id === id)?.message?.clientMsgId;
      if (clientMsgId !== undefined) this.#handOver(clientMsgId);
    } catch (thrown) {
      if (signal.aborted) return;
      const error = toCallboardError(thrown);
      this.#change(id, { progress: 0, error });
      if (error.isTransient) this.#retryTimer ??= setTimeout(() => this.#retryTransient(), RETRY_MS);
    }
  }

  #retryTransient(): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    if (this.#uploads.some(isDelayed))
      this.#set(this.#uploads.map((one) => (isDelayed(one) ? { ...one, error: undefined } : one)));
    this.#run();
  }

  /** Gives a message to the outbox of its chat once all of its files are uploaded. The outbox sends it once, also after a reload. */
  #handOver(clientMsgId: string): void {
    const parts = this.#ofMessage(clientMsgId);
    const [{ conversationId, message } = {}] = parts;
    const request = toRequest(parts);
    if (conversationId === undefined || request === undefined || this.#handedOver.has(clientMsgId)) return;
    this.#handedOver.add(clientMsgId);
    sendFrom(conversationId, request);
    if (message?.caption !== undefined) sendFrom(conversationId, message.caption);
  }

  /** Forgets the files of messages that were delivered. Those whose attachments the service has deleted are uploaded again. */
  #forgetDelivered(conversationId: number): void {
    const pending = pendingById(conversationId);
    for (const { id, message } of this.of(conversationId)) {
      if (message === undefined || !this.#handedOver.has(message.clientMsgId)) continue;
      const state = pending.get(message.clientMsgId);
      if (state === undefined) this.#remove(id);
      else if (state.error?.key === 'ATTACHMENT_NOT_FOUND') this.#repeat(conversationId, message);
    }
  }

  /** Uploads the files of a message once more. Its caption is queued again behind them, unless it was delivered. */
  #repeat(conversationId: number, { clientMsgId, replyToId, caption }: UploadMessage): void {
    if (this.#repeated.has(clientMsgId)) return;
    this.#repeated.add(clientMsgId);
    this.#handedOver.delete(clientMsgId);
    discardFrom(conversationId, clientMsgId);
    const isUnsent = discardFrom(conversationId, caption?.client_msg_id ?? '');
    const message = { clientMsgId, replyToId, caption: isUnsent ? caption : undefined };
    for (const { id } of this.#ofMessage(clientMsgId))
      this.#change(id, { message, uploaded: undefined, progress: 0 }, { isKept: true });
    this.#run();
  }

  #change(id: string, changes: Partial<Upload>, { isKept = false } = {}): void {
    const upload = this.#uploads.find((one) => one.id === id);
    if (upload === undefined) return;
    const changed = { ...upload, ...changes };
    this.#set(this.#uploads.map((one) => (one.id === id ? changed : one)));
    if (isKept) void keepUpload(toStored(changed));
  }

  #set(uploads: readonly Upload[]): void {
    this.#uploads = uploads;
    this.#byConversation.clear();
    for (const listener of this.#listeners) listener();
  }

  /** Forgets everything of a user who has logged out. */
  #drop(): void {
    for (const { id } of this.#uploads) this.#remove(id);
    this.#userId = undefined;
  }
}

export const uploads = new Uploads();
