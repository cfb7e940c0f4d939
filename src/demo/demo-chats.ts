import { Injectable } from '@nestjs/common';
import type { ConversationId, MessageId, UserId } from '../common/ids';
import type { CreateConversationRequest } from '../messaging/dto/conversation-requests.dto';
import type { MessageContent } from '../messaging/rules/message-content.rules';
import { ConversationCreationService } from '../messaging/services/conversation-creation.service';
import { ConversationsService } from '../messaging/services/conversations.service';
import { ReadPositionsService } from '../messaging/services/read-positions.service';
import { DemoMessages } from './demo-messages';
import type { DemoUsers } from './demo-people';
import { MINUTES_PER_DAY, type DemoStep } from './demo-step';
import type { DemoLine, DemoTalk } from './talk/talk';

/** Minutes between two lines of the long chat. */
const MINUTES_PER_LINE = 1.5;
/** Minutes since the last line. */
const LAST_LINE = 5;
/** Number of lines at the end of the long chat that one user sends and the other has not read. */
const UNREAD_LINES = 4;

const GROUP_CREATED = 1.6 * MINUTES_PER_DAY;
const MINUTES_PER_GROUP_LINE = 90;

/** The conversations of the demo data in one language: a long single chat, a group, and short chats. */
@Injectable()
export class DemoChats {
  constructor(
    private readonly creation: ConversationCreationService,
    private readonly conversations: ConversationsService,
    private readonly messages: DemoMessages,
    private readonly positions: ReadPositionsService,
  ) {}

  /** @param files URL of the folder with the media */
  scenes(users: DemoUsers, talk: DemoTalk, files: string): DemoStep[] {
    return [
      ...this.#longChat(users, talk, files),
      ...this.#groupChat(users, talk, files),
      ...this.#shortChats(users, talk, files),
    ];
  }

  /** Returns a chat of the administrator with alice, which alice has read and hidden. */
  hiddenChat({ admin, alice }: DemoUsers): DemoStep[] {
    return [
      {
        minutesAgo: 1.2 * MINUTES_PER_DAY,
        play: async (advance) => {
          const chat = await this.#createConversation(admin, { type: 'single', peer_id: alice });
          await this.#send(admin, chat, '您的访客登记已通过', '');
          advance(60);
          await this.positions.markRead(alice, chat);
          await this.conversations.changeSettings(alice, chat, { hidden: true });
        },
      },
    ];
  }

  /** Returns the long chat: the lines of each day, of which the last day is today. */
  #longChat(users: DemoUsers, { pair, days }: DemoTalk, files: string): DemoStep[] {
    const [first, second] = [users[pair[0]], users[pair[1]]];
    let chat: ConversationId;
    const opening = {
      minutesAgo: days.length * MINUTES_PER_DAY + 1,
      play: async () => (chat = await this.#createConversation(first, { type: 'single', peer_id: second })),
    };
    const messages = days.map((lines, day) => {
      const isLast = day === days.length - 1;
      const start = isLast
        ? LAST_LINE + lines.length * MINUTES_PER_LINE
        : (days.length - day) * MINUTES_PER_DAY;
      const sent = lines.map((line, index) => ({
        minutesAgo: start - index * MINUTES_PER_LINE,
        play: () =>
          this.#send(
            index % 2 === 0 || index >= lines.length - UNREAD_LINES ? first : second,
            chat,
            line,
            files,
          ),
      }));
      const read = {
        minutesAgo: start - lines.length * MINUTES_PER_LINE,
        play: () => this.positions.markRead(second, chat),
      };
      return isLast ? sent : [...sent, read];
    });
    return [opening, ...messages.flat()];
  }

  /** Returns a group with a recalled message. Its owner has not read the last two lines. */
  #groupChat(users: DemoUsers, { group }: DemoTalk, files: string): DemoStep[] {
    const owner = users[group.owner];
    const after = (lines: number): number => GROUP_CREATED - (lines + 0.5) * MINUTES_PER_GROUP_LINE;
    let id: ConversationId;
    return [
      {
        minutesAgo: GROUP_CREATED,
        play: async () => {
          const members = { name: group.name, member_ids: group.members.map((name) => users[name]) };
          id = await this.#createConversation(owner, { type: 'group', ...members });
          await this.conversations.changeSettings(owner, id, { pinned: true });
        },
      },
      ...group.lines.map(([who, line], index) => ({
        minutesAgo: GROUP_CREATED - (index + 1) * MINUTES_PER_GROUP_LINE,
        play: () => this.#send(users[who], id, line, files),
      })),
      ...(this.messages.hasUploads ? group.uploads : []).map(([afterLine, who, upload]) => ({
        minutesAgo: after(afterLine + 1) + MINUTES_PER_GROUP_LINE / 4,
        play: () => this.messages.sendUpload(users[who], id, upload),
      })),
      {
        minutesAgo: after(7),
        play: async (advance) => {
          const [who, text] = group.slip;
          const slip = await this.#send(users[who], id, text, files);
          advance(20);
          await this.messages.recall(users[who], slip);
        },
      },
      { minutesAgo: after(group.lines.length - 2), play: () => this.positions.markRead(owner, id) },
      ...group.members.slice(0, 2).map((name, index) => ({
        minutesAgo: after(group.lines.length - 2 + index),
        play: () => this.positions.markRead(users[name], id),
      })),
    ];
  }

  #shortChats(users: DemoUsers, { pair, notes }: DemoTalk, files: string): DemoStep[] {
    return notes.map(({ minutesAgo, lines }) => ({
      minutesAgo,
      play: async (advance) => {
        const [first] = lines;
        if (first === undefined) return;
        const chat = await this.#createConversation(users[first[0]], {
          type: 'single',
          peer_id: users[pair[0]],
        });
        for (const [index, [who, line]] of lines.entries()) {
          advance(30 * index);
          await this.#send(users[who], chat, line, files);
        }
      },
    }));
  }

  async #createConversation(
    userId: UserId,
    body: Partial<CreateConversationRequest>,
  ): Promise<ConversationId> {
    const { id } = await this.creation.create(
      { id: userId, role: 'admin' },
      body as CreateConversationRequest,
    );
    return id as ConversationId;
  }

  #send(userId: UserId, conversationId: ConversationId, line: DemoLine, files: string): Promise<MessageId> {
    return this.messages.send(userId, conversationId, contentOf(line, files));
  }
}

function contentOf(line: DemoLine, files: string): MessageContent {
  if (typeof line === 'string') return { type: 'text', content: line };
  const { type, content, extra } = line;
  if (type === 'location') return line;
  const poster = typeof extra?.poster === 'string' ? { poster: files + extra.poster } : {};
  return { type, content: files + content, extra: { ...extra, ...poster } };
}
