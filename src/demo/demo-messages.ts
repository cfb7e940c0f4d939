import { Injectable } from '@nestjs/common';
import type { ConversationId, MessageId, UserId } from '../common/ids';
import type { SendMessageRequest } from '../messaging/dto/message-requests.dto';
import { MessagesService } from '../messaging/services/messages.service';
import { RecallsService } from '../messaging/services/recalls.service';
import { type DemoUpload, DemoUploads } from './demo-uploads';

/** Sends and recalls the messages of the demo users. */
@Injectable()
export class DemoMessages {
  constructor(
    private readonly messages: MessagesService,
    private readonly recalls: RecallsService,
    private readonly uploads: DemoUploads,
  ) {}

  /** Whether messages with uploaded files can be sent. */
  get hasUploads(): boolean {
    return this.uploads.isEnabled;
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
    await this.send(userId, conversationId, await this.uploads.prepare(userId, upload));
  }

  async recall(userId: UserId, messageId: MessageId): Promise<void> {
    await this.recalls.recall(userId, messageId);
  }
}
