/*
 * A simple model of conversations, histories, read states and counts: every read of every message by every user is one
 * entry in a list, and every query counts from scratch.
 */

interface ModelMessage {
  id: number;
  sender: number;
  content: string;
  at: Date;
  recalled: boolean;
  /** The users who have read the message, in order. */
  reads: { user: number; at: Date }[];
}

interface ModelMember {
  /** Number of messages before the user joined. */
  before: number;
  joinedAt: Date;
  pinned: boolean;
  muted: boolean;
  hidden: boolean;
}

export interface ModelConversation {
  id: number;
  type: 'single' | 'group';
  owner: number;
  messages: ModelMessage[];
  /** In the order of joining. */
  members: Map<number, ModelMember>;
}

const isAbout = (user: number) => (read: { user: number }) => read.user === user;

export class MessagingModel {
  readonly conversations: ModelConversation[] = [];

  add(id: number, type: 'single' | 'group', users: number[], at: Date): void {
    const conversation = { id, type, owner: users[0] ?? 0, messages: [], members: new Map() };
    this.conversations.push(conversation);
    for (const user of users) this.join(conversation, user, at);
  }

  join({ members, messages }: ModelConversation, user: number, at: Date): void {
    if (members.has(user)) return;
    const settings = { pinned: false, muted: false, hidden: false };
    members.set(user, { before: messages.length, joinedAt: at, ...settings });
  }

  leave(conversation: ModelConversation, user: number): void {
    conversation.members.delete(user);
    if (conversation.owner === user) conversation.owner = [...conversation.members.keys()][0] ?? 0;
  }

  send(
    conversation: ModelConversation,
    message: { id: number; sender: number; content: string; at: Date },
  ): void {
    this.read(conversation, message.sender, message.at);
    conversation.messages.push({ ...message, recalled: false, reads: [] });
    for (const member of conversation.members.values()) member.hidden = false;
  }

  /** Reads up to the message with this index, or all. */
  read(conversation: ModelConversation, user: number, at: Date, upTo = Number.POSITIVE_INFINITY): void {
    for (const [index, { sender, reads }] of conversation.messages.entries()) {
      const concerned = index <= upTo && sender !== user && this.#sees(conversation, user, index);
      if (concerned && !reads.some(isAbout(user))) reads.push({ user, at });
    }
  }

  unread(conversation: ModelConversation, user: number): number {
    return conversation.messages.filter(
      ({ sender, recalled, reads }, index) =>
        sender !== user && !recalled && this.#sees(conversation, user, index) && !reads.some(isAbout(user)),
    ).length;
  }

  unreadTotal(user: number): number {
    return this.conversations
      .filter(({ members }) => members.get(user)?.muted === false)
      .reduce((sum, conversation) => sum + this.unread(conversation, user), 0);
  }

  /** Returns the expected list, in order. */
  list(user: number): { id: number; last_message: string | null; last_at: Date; unread_count: number }[] {
    return this.conversations
      .flatMap((conversation) => {
        const member = conversation.members.get(user);
        if (member === undefined || member.hidden) return [];
        const last = conversation.messages.slice(member.before).at(-1);
        return [{ conversation, member, last, last_at: last?.at ?? member.joinedAt }];
      })
      .toSorted(
        (a, b) =>
          Number(b.member.pinned) - Number(a.member.pinned) ||
          b.last_at.getTime() - a.last_at.getTime() ||
          b.conversation.id - a.conversation.id,
      )
      .map(({ conversation, last, last_at }) => ({
        id: conversation.id,
        last_message: last === undefined ? null : displayOf(last, user),
        last_at,
        unread_count: this.unread(conversation, user),
      }));
  }

  /** Returns the expected history, newest first. */
  history(conversation: ModelConversation, user: number) {
    return conversation.messages
      .map((message, index) => ({ message, index }))
      .filter(({ index }) => this.#sees(conversation, user, index))
      .map(({ message, index }) => {
        const isSelf = message.sender === user;
        const read = message.reads.find((entry) => isSelf || entry.user === user);
        const audience = [...conversation.members.keys()].filter(
          (other) => other !== message.sender && this.#sees(conversation, other, index),
        );
        const readers = audience.filter((other) => message.reads.some(isAbout(other)));
        return {
          id: message.id,
          is_self: isSelf,
          content: message.recalled ? '' : message.content,
          display_content: displayOf(message, user),
          is_recalled: message.recalled,
          is_read: read !== undefined,
          read_at: read?.at ?? null,
          read_count: readers.length,
          unread_count: audience.length - readers.length,
        };
      })
      .toReversed();
  }

  #sees({ members }: ModelConversation, user: number, index: number): boolean {
    const member = members.get(user);
    return member !== undefined && index >= member.before;
  }
}

const displayOf = ({ recalled, sender, content }: ModelMessage, user: number): string =>
  recalled ? `${sender === user ? '你' : `User ${sender}`}撤回了一条消息` : content;
