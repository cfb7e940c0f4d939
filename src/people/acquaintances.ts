import { Injectable } from '@nestjs/common';

/** Two users, the one who asks first. */
export interface Pair {
  userId: number;
  otherId: number;
}

/** A user, perhaps a member of a conversation. */
export interface Place {
  conversationId: number;
  userId: number;
}

/** What the module with the conversations knows of who has to do with whom. */
export interface Chats {
  /** The single chat of two users, if there is one. */
  singleChatOf(userId: number, otherId: number): Promise<number | null>;
  /** For each of some pairs, in their order, whether they have a single chat. */
  haveSingleChats(pairs: readonly Pair[]): Promise<boolean[]>;
  /**
   * The members of a conversation, by id; none where they are more than 200.
   * @throws {BusinessError} CONVERSATION_FORBIDDEN: the user is not among them
   */
  membersFor(userId: number, conversationId: number): Promise<number[]>;
  /** For each of some places, in their order, whether the user is a member there and the members are 200 at most. */
  areMembers(places: readonly Place[]): Promise<boolean[]>;
  /** Those of some users who are in any conversation together with a user. */
  metBy(userId: number, ids: readonly number[]): Promise<number[]>;
}

/** What the module with the calls knows of it. */
export interface Calls {
  /** Those of some users who have ever called a user. */
  callersOf(userId: number, ids: readonly number[]): Promise<number[]>;
}

/** Who has to do with whom: modules above this one know, and register when they start. */
@Injectable()
export class Acquaintances {
  #chats?: Chats;
  #calls?: Calls;

  registerChats(chats: Chats): void {
    this.#chats = chats;
  }

  registerCalls(calls: Calls): void {
    this.#calls = calls;
  }

  /** @throws {Error} before they have registered */
  get chats(): Chats {
    if (this.#chats === undefined) throw new Error('Nobody knows of conversations');
    return this.#chats;
  }

  /** Those of some users who share a conversation with a user, or have called the user. */
  async among(userId: number, ids: readonly number[]): Promise<Set<number>> {
    if (ids.length === 0) return new Set();
    const met = new Set(await this.#chats?.metBy(userId, ids));
    const others = ids.filter((id) => !met.has(id));
    const callers = others.length === 0 ? [] : await this.#calls?.callersOf(userId, others);
    return new Set([...met, ...(callers ?? [])]);
  }
}
