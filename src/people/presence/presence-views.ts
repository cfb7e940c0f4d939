import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import { ContactGraph, type Pair } from '../contact-graph';
import { areBlocked } from '../blocks/blocks.store';
import type { PresenceItemResponse } from '../dto/presence.dto';
import { OFFLINE, type Presence } from '../rules/presence-state.rules';
import { presencesOf, showingAmong } from './presence.store';

/**
 * A question of a user for another user's presence: as the other user of a single chat, or as a member of the group.
 */
export interface Question extends Pair {
  conversationId?: number;
}

/** The presence as shown to the asking user. */
export interface Answer {
  item: PresenceItemResponse;
  /** When the shown state ends by itself, in ms since 1970; undefined: only with the next change. */
  endsAt: number | undefined;
}

/**
 * Presence as visible to other users (API 9.5). Shown as offline, without any difference between the reasons:
 * users without a shared conversation, users who hide their presence, users behind a block, and everybody to a user who
 * hides.
 */
@Injectable()
export class PresenceViews {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly contacts: ContactGraph,
  ) {}

  /** Answers questions, in the same order, with a fixed number of statements. */
  async answer(questions: readonly Question[]): Promise<Answer[]> {
    const shown = this.config.people.presence ? await this.#shownAmong(questions) : [];
    const ids = [...new Set(shown.map(({ otherId }) => otherId))];
    const presences = await presencesOf(this.transactions.read(), ids, this.clock.now().getTime());
    const isShown = new Set(shown);
    return questions.map((question) => {
      const presence = isShown.has(question) ? presences.get(question.otherId) : undefined;
      return toAnswer(question.otherId, presence ?? OFFLINE);
    });
  }

  /** Returns those of `userIds` who let others see their presence. */
  showing(userIds: readonly number[]): Promise<Set<number>> {
    return showingAmong(this.transactions.read(), userIds);
  }

  async #shownAmong(questions: readonly Question[]): Promise<Question[]> {
    const userIds = new Set(questions.flatMap(({ userId, otherId }) => [userId, otherId]));
    const showing = await this.showing([...userIds]);
    const open = questions.filter(({ userId, otherId }) => showing.has(userId) && showing.has(otherId));
    const ofContacts = await this.#filterContacts(open);
    const blocked = await areBlocked(this.transactions.read(), ofContacts);
    return ofContacts.filter((_, index) => !blocked[index]);
  }

  /**
   * Returns the questions of users about themselves, about the other user of a single chat, and between members of a
   * group.
   */
  async #filterContacts(questions: readonly Question[]): Promise<Question[]> {
    const { chats } = this.contacts;
    const aboutSelf = questions.filter(
      ({ userId, otherId, conversationId }) => userId === otherId && conversationId === undefined,
    );
    const aboutPeers = questions.filter(
      ({ userId, otherId, conversationId }) => userId !== otherId && conversationId === undefined,
    );
    const hasSingleChat = await chats.haveSingleChats(aboutPeers);
    const places = questions.flatMap(({ userId, otherId, conversationId }) =>
      conversationId === undefined
        ? []
        : [
            { conversationId, userId },
            { conversationId, userId: otherId },
          ],
    );
    const isMember = await chats.areMembers(places);
    const aboutMembers = questions.filter(({ conversationId }) => conversationId !== undefined);
    return [
      ...aboutSelf,
      ...aboutPeers.filter((_, index) => hasSingleChat[index]),
      ...aboutMembers.filter((_, index) => isMember[2 * index] && isMember[2 * index + 1]),
    ];
  }
}

const toAnswer = (user_id: number, { online, lastSeenAt, endsAt }: Presence): Answer => ({
  item: { user_id, online, last_seen_at: lastSeenAt === null ? null : new Date(lastSeenAt) },
  endsAt,
});
