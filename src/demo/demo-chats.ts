import { Injectable } from '@nestjs/common';
import type { ConversationId, MessageId, UserId } from '../common/ids';
import type { CreateConversationRequest } from '../messaging/dto/conversation-requests.dto';
import { ConversationCreationService } from '../messaging/services/conversation-creation.service';
import { ConversationsService } from '../messaging/services/conversations.service';
import { MessagesService } from '../messaging/services/messages.service';
import { ReadPositionsService } from '../messaging/services/read-positions.service';
import { RecallsService } from '../messaging/services/recalls.service';
import { CHAT_DAYS, chatOfDay, type DemoLine, GROUP_LINES } from './demo-chat-lines';
import { DAY, type DemoCast, type DemoScene, HOUR } from './demo-scene';

/** A line of the chat every one and a half minutes; the last one came a few minutes ago. */
const MINUTES_A_LINE = 1.5;
const LAST_CHAT_BEGAN = 95;
/** What one person says at the end of a chat, and the other has not read yet. */
const LAST_WORDS = 4;

/** The demonstration's conversations: a long chat of two, a group, and two short chats, of which one is hidden. */
@Injectable()
export class DemoChats {
  constructor(
    private readonly creation: ConversationCreationService,
    private readonly conversations: ConversationsService,
    private readonly messages: MessagesService,
    private readonly positions: ReadPositionsService,
    private readonly recalls: RecallsService,
  ) {}

  scenes(cast: DemoCast): DemoScene[] {
    return [...this.#longChat(cast), ...this.#group(cast), ...this.#shortChats(cast)];
  }

  /** The first conversation, of 300 messages in five days. */
  #longChat({ alice, bob }: DemoCast): DemoScene[] {
    let chat: ConversationId;
    const opening = {
      minutesAgo: CHAT_DAYS * DAY + 1,
      play: async () => (chat = await this.#begin(alice, { type: 'single', peer_id: bob })),
    };
    const days = Array.from({ length: CHAT_DAYS }, (_, day) => {
      const isLast = day === CHAT_DAYS - 1;
      const began = isLast ? LAST_CHAT_BEGAN : (CHAT_DAYS - day) * DAY;
      const lines = chatOfDay(day);
      const spoken = lines.map((line, index) => ({
        minutesAgo: began - index * MINUTES_A_LINE,
        play: () =>
          this.#say(index % 2 === 0 || index >= lines.length - LAST_WORDS ? alice : bob, chat, line),
      }));
      const read = {
        minutesAgo: began - lines.length * MINUTES_A_LINE,
        play: () => this.positions.markRead(bob, chat),
      };
      return isLast ? spoken : [...spoken, read];
    });
    return [opening, ...days.flat()];
  }

  /** A group in which somebody has taken a word back, and in which not everybody has read everything. */
  #group(cast: DemoCast): DemoScene[] {
    const { admin, alice, bob, door } = cast;
    const began = 1.6 * DAY;
    let group: ConversationId;
    return [
      {
        minutesAgo: began,
        play: async () => {
          const members = { name: '阳光花园邻居群', member_ids: [bob, door, admin] };
          group = await this.#begin(alice, { type: 'group', ...members });
          await this.conversations.changeSettings(alice, group, { pinned: true });
        },
      },
      ...GROUP_LINES.map(([who, line], index) => ({
        minutesAgo: began - (index + 1) * 2 * HOUR,
        play: () => this.#say(cast[who], group, line),
      })),
      {
        minutesAgo: began - 7.5 * 2 * HOUR,
        play: async (later) => {
          const slip = await this.#say(bob, group, '发错群了');
          later(20);
          await this.recalls.recall(bob, slip);
        },
      },
      { minutesAgo: began - 12.5 * 2 * HOUR, play: () => this.positions.markRead(alice, group) },
      { minutesAgo: began - 13.5 * 2 * HOUR, play: () => this.positions.markRead(door, group) },
    ];
  }

  #shortChats({ admin, alice, door }: DemoCast): DemoScene[] {
    return [
      {
        minutesAgo: 1.2 * DAY,
        play: async (later) => {
          const chat = await this.#begin(admin, { type: 'single', peer_id: alice });
          await this.#say(admin, chat, '您的访客登记已通过');
          later(60);
          await this.positions.markRead(alice, chat);
          await this.conversations.changeSettings(alice, chat, { hidden: true });
        },
      },
      {
        minutesAgo: 4 * HOUR,
        play: async (later) => {
          const chat = await this.#begin(door, { type: 'single', peer_id: alice });
          await this.#say(door, chat, '访客到访:东门,14 号柜快递员');
          later(30);
          await this.#say(door, chat, {
            type: 'image',
            content: 'https://example.com/demo/visitor.jpg',
            extra: { width: 640, height: 480 },
          });
        },
      },
    ];
  }

  async #begin(userId: UserId, body: Partial<CreateConversationRequest>): Promise<ConversationId> {
    const { id } = await this.creation.create(
      { id: userId, role: 'admin' },
      body as CreateConversationRequest,
    );
    return id as ConversationId;
  }

  async #say(userId: UserId, conversationId: ConversationId, line: DemoLine): Promise<MessageId> {
    const content = typeof line === 'string' ? ({ type: 'text', content: line } as const) : line;
    const { id } = await this.messages.send(userId, conversationId, content);
    return id as MessageId;
  }
}
