import { writeFile } from 'node:fs/promises';
import { Injectable, Optional } from '@nestjs/common';
import { AttachmentIntake } from '../attachments/services/attachment-intake';
import { FileStorage } from '../attachments/storage/file-storage';
import type { ConversationId, MessageId, UserId } from '../common/ids';
import type { SendMessageRequest } from '../messaging/dto/message-requests.dto';
import { MessagesService } from '../messaging/services/messages.service';
import { RecallsService } from '../messaging/services/recalls.service';
import { paintLandscape, type TimeOfDay } from './media/landscape';
import { speakVoiceNote } from './media/voice-note';

const ALBUM: readonly TimeOfDay[] = ['morning', 'noon', 'evening'];

/** A message with files that the demo data generate. */
export type DemoUpload =
  /** Three pictures, with their names. */
  | { kind: 'album'; names: readonly [string, string, string] }
  /** A voice message with its waveform. */
  | { kind: 'voice'; name: string }
  | { kind: 'file'; name: string; text: string };

/**
 * Sends and recalls the messages of the demo users, and uploads their files as clients do. Without a storage of
 * attachments the demo data have none.
 */
@Injectable()
export class DemoMessages {
  constructor(
    private readonly messages: MessagesService,
    private readonly recalls: RecallsService,
    @Optional() private readonly intake?: AttachmentIntake,
    @Optional() private readonly storage?: FileStorage,
  ) {}

  /** Whether messages with uploaded files can be sent. */
  get hasUploads(): boolean {
    return this.intake !== undefined && this.storage !== undefined;
  }

  async send(
    userId: UserId,
    conversationId: ConversationId,
    message: SendMessageRequest,
  ): Promise<MessageId> {
    const { id } = await this.messages.send(userId, conversationId, message);
    return id as MessageId;
  }

  async sendUpload(userId: UserId, conversationId: ConversationId, upload: DemoUpload): Promise<void> {
    await this.send(userId, conversationId, await this.#prepare(userId, upload));
  }

  async recall(userId: UserId, messageId: MessageId): Promise<void> {
    await this.recalls.recall(userId, messageId);
  }

  /** Stores the files of a message. Returns the message to send. */
  async #prepare(userId: UserId, upload: DemoUpload): Promise<SendMessageRequest> {
    if (upload.kind === 'file') {
      const { name, text } = upload;
      return { type: 'file', attachment_ids: [await this.#store(userId, 'file', name, Buffer.from(text))] };
    }
    if (upload.kind === 'voice') {
      const { wav, seconds, waveform } = speakVoiceNote();
      const id = await this.#store(userId, 'audio', upload.name, wav, seconds);
      return { type: 'audio', attachment_ids: [id], extra: { waveform } };
    }
    const ids: number[] = [];
    for (const [index, time] of ALBUM.entries())
      ids.push(await this.#store(userId, 'image', upload.names[index], await paintLandscape(time)));
    return { type: 'image', attachment_ids: ids };
  }

  async #store(
    userId: UserId,
    type: 'image' | 'audio' | 'file',
    name: string | undefined,
    bytes: Buffer,
    duration?: number,
  ): Promise<number> {
    if (this.intake === undefined || this.storage === undefined) throw new Error('Attachments are disabled');
    const draft = await this.storage.draft();
    await writeFile(draft, bytes);
    return (await this.intake.accept(userId, { type, duration }, { draft, name })).id;
  }
}
