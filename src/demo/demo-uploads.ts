import { writeFile } from 'node:fs/promises';
import { Injectable, Optional } from '@nestjs/common';
import { AttachmentIntake } from '../attachments/services/attachment-intake';
import { FileStorage } from '../attachments/storage/file-storage';
import type { UserId } from '../common/ids';
import type { SendMessageRequest } from '../messaging/dto/message-requests.dto';
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

/** Uploads the files of demo messages as clients do. Without a storage of attachments the demo data have none. */
@Injectable()
export class DemoUploads {
  constructor(
    @Optional() private readonly intake?: AttachmentIntake,
    @Optional() private readonly storage?: FileStorage,
  ) {}

  /** Whether the service stores attachments. */
  get isEnabled(): boolean {
    return this.intake !== undefined && this.storage !== undefined;
  }

  /** Stores the files of a message. Returns the message to send. */
  async prepare(userId: UserId, upload: DemoUpload): Promise<SendMessageRequest> {
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
