import { Injectable } from '@nestjs/common';
import type { ConversationId, MessageId, UserId } from '../common/ids';
import type { CreateConversationRequest } from '../messaging/dto/conversation-requests.dto';
import type { MessageContent } from '../messaging/rules/message-content';
import { ConversationCreationService } from '../messaging/services/conversation-creation.service';
import { ConversationsService } from '../messaging/services/conversations.service';
import { MessagesService } from '../messaging/services/messages.service';
import { ReadPositionsService } from '../messaging/services/read-positions.service';
import { RecallsService } from '../messaging/services/recalls.service';
import { DAY, type DemoCast, type DemoScene } from './demo-scene';
import type { DemoLine, DemoTalk } from './talk/talk';

/** A line of the chat every one and a half minutes; the last one came a few minutes ago. */
const MINUTES_A_LINE = 1.5;
const LAST_LINE = 5;
/** One person says the last lines, and the other has not read them yet. */
const LAST_WORDS = 4;

const GROUP_BEGAN = 1.6 * DAY;
const MINUTES_A_GROUP_LINE = 90;

/** The demonstration's conversations in one language: a long chat of two, a group, and short chats. */
@Injectable()
export class DemoChats {
  constructor(
    private readonly creation: ConversationCreationService,
    private readonly conversations: ConversationsService,
    private readonly messages: MessagesService,
    private readonly positions: ReadPositionsService,
    private readonly recalls: RecallsService,
  ) {}

  /** @param files the address of the folder with the media */
  scenes(cast: DemoCast, talk: DemoTalk, files: string): DemoScene[] {
    return [
      ...this.#longChat(cast, talk, files),
      ...this.#group(cast, talk, files),
      ...this.#notes(cast, talk, files),
    ];
  }

  /** Chat of the administrator with alice, which alice has read and hidden. */
  hiddenChat({ admin, alice }: DemoCast): DemoScene[] {
    return [
      {
        minutesAgo: 1.2 * DAY,
        play: async (later) => {
          const chat = await this.#begin(admin, { type: 'single', peer_id: alice });
          await this.#say(admin, chat, '您的访客登记已通过', '');
          later(60);
          await this.positions.markRead(alice, chat);
          await this.conversations.changeSettings(alice, chat, { hidden: true });
        },
      },
    ];
  }

  /** A day of lines for each day of the talk; the last one is today's. */
  #longChat(cast: DemoCast, { pair, days }: DemoTalk, files: string): DemoScene[] {
    const [one, other] = [cast[pair[0]], cast[pair[1]]];
    let chat: ConversationId;
    const opening = {
      minutesAgo: days.length * DAY + 1,
      play: async () => (chat = await this.#begin(one, { type: 'single', peer_id: other })),
    };
    const said = days.map((lines, day) => {
      const isLast = day === days.length - 1;
      const began = isLast ? LAST_LINE + lines.length * MINUTES_A_LINE : (days.length - day) * DAY;
      const spoken = lines.map((line, index) => ({
        minutesAgo: began - index * MINUTES_A_LINE,
        play: () =>
          this.#say(index % 2 === 0 || index >= lines.length - LAST_WORDS ? one : other, chat, line, files),
      }));
      const read = {
        minutesAgo: began - lines.length * MINUTES_A_LINE,
        play: () => this.positions.markRead(other, chat),
      };
      return isLast ? spoken : [...spoken, read];
    });
    return [opening, ...said.flat()];
  }

  /** A group with a recalled message, whose owner has not read the last two lines. */
  #group(cast: DemoCast, { group }: DemoTalk, files: string): DemoScene[] {
    const owner = cast[group.owner];
    const after = (lines: number): number => GROUP_BEGAN - (lines + 0.5) * MINUTES_A_GROUP_LINE;
    let id: ConversationId;
    return [
      {
        minutesAgo: GROUP_BEGAN,
        play: async () => {
          const members = { name: group.name, member_ids: group.members.map((name) => cast[name]) };
          id = await this.#begin(owner, { type: 'group', ...members });
          await this.conversations.changeSettings(owner, id, { pinned: true });
        },
      },
      ...group.lines.map(([who, line], index) => ({
        minutesAgo: GROUP_BEGAN - (index + 1) * MINUTES_A_GROUP_LINE,
        play: () => this.#say(cast[who], id, line, files),
      })),
      {
        minutesAgo: after(7),
        play: async (later) => {
          const [who, text] = group.slip;
          const slip = await this.#say(cast[who], id, text, files);
          later(20);
          await this.recalls.recall(cast[who], slip);
        },
      },
      { minutesAgo: after(group.lines.length - 2), play: () => this.positions.markRead(owner, id) },
      ...group.members.slice(0, 2).map((name, index) => ({
        minutesAgo: after(group.lines.length - 2 + index),
        play: () => this.positions.markRead(cast[name], id),
      })),
    ];
  }

  #notes(cast: DemoCast, { pair, notes }: DemoTalk, files: string): DemoScene[] {
    return notes.map(({ minutesAgo, lines }) => ({
      minutesAgo,
      play: async (later) => {
        const [first] = lines;
        if (first === undefined) return;
        const chat = await this.#begin(cast[first[0]], { type: 'single', peer_id: cast[pair[0]] });
        for (const [index, [who, line]] of lines.entries()) {
          later(30 * index);
          await this.#say(cast[who], chat, line, files);
        }
      },
    }));
  }

  async #begin(userId: UserId, body: Partial<CreateConversationRequest>): Promise<ConversationId> {
    const { id } = await this.creation.create(
      { id: userId, role: 'admin' },
      body as CreateConversationRequest,
    );
    return id as ConversationId;
  }

  async #say(
    userId: UserId,
    conversationId: ConversationId,
    line: DemoLine,
    files: string,
  ): Promise<MessageId> {
    const { id } = await this.messages.send(userId, conversationId, contentOf(line, files));
    return id as MessageId;
  }
}

function contentOf(line: DemoLine, files: string): MessageContent {
  if (typeof line === 'string') return { type: 'text', content: line };
  const { type, content, extra } = line;
  if (type === 'location') return line;
  const poster = typeof extra?.poster === 'string' ? { poster: files + extra.poster } : {};
  return { type, content: files + content, extra: { ...extra, ...poster } };
}
