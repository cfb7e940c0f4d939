import { Injectable } from '@nestjs/common';

/** Two users; `userId` is the one who asks. */
export interface Pair {
  userId: number;
  otherId: number;
}

/** A user and a conversation of which the user may be a member. */
export interface ConversationUser {
  conversationId: number;
  userId: number;
}

/** Contacts by conversation, provided by the module `messaging`. */
export interface ConversationContacts {
  /** Returns the single chat of two users; null if there is none. */
  singleChatOf(userId: number, otherId: number): Promise<number | null>;
  /** Returns, per pair and in the same order, whether the two users have a single chat. */
  haveSingleChats(pairs: readonly Pair[]): Promise<boolean[]>;
  /**
   * Returns the ids of the members of a conversation; empty if there are more than 200.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN: the user is not a member
   */
  membersFor(userId: number, conversationId: number): Promise<number[]>;
  /**
   * Returns, per element and in the same order, whether the user is a member and the conversation has at most 200
   * members.
   */
  areMembers(places: readonly ConversationUser[]): Promise<boolean[]>;
  /** Returns those of `ids` that share any conversation with the user. */
  metBy(userId: number, ids: readonly number[]): Promise<number[]>;
}

/** Contacts by call, provided by the module `calls`. */
export interface CallContacts {
  /** Returns those of `ids` that have ever called the user. */
  callersOf(userId: number, ids: readonly number[]): Promise<number[]>;
}

/**
 * Contacts of a user: users with a shared conversation, and callers. The modules `messaging` and `calls`, which depend
 * on this one, register themselves at startup.
 */
@Injectable()
export class ContactGraph {
  #chats?: ConversationContacts;
  #calls?: CallContacts;

  registerChats(chats: ConversationContacts): void {
    this.#chats = chats;
  }

  registerCalls(calls: CallContacts): void {
    this.#calls = calls;
  }

  /**
   * Contacts by conversation.
   * @throws {Error} before `messaging` has registered
   */
  get chats(): ConversationContacts {
    if (this.#chats === undefined) throw new Error('The messaging module has not registered its contacts');
    return this.#chats;
  }

  /** Returns those of `ids` that share a conversation with the user or have called the user. */
  async among(userId: number, ids: readonly number[]): Promise<Set<number>> {
    if (ids.length === 0) return new Set();
    const met = new Set(await this.#chats?.metBy(userId, ids));
    const remaining = ids.filter((id) => !met.has(id));
    const callers = remaining.length === 0 ? [] : await this.#calls?.callersOf(userId, remaining);
    return new Set([...met, ...(callers ?? [])]);
  }
}
