import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../common/clock';
import { CONFIG, type Config } from '../../config/config';
import { Acquaintances, type Pair } from '../acquaintances';
import { areBlocked } from '../blocks/blocks.queries';
import type { PresenceItemResponse } from '../dto/presence.dto';
import { OFFLINE, type Presence } from '../rules/presence-state';
import { presencesOf, showingAmong } from './presence.queries';

/** Somebody asks whether somebody else is there: as the other side of their single chat, or as a member of this group. */
export interface Question extends Pair {
  conversationId?: number;
}

/** What the one who asks is shown. */
export interface Answer {
  item: PresenceItemResponse;
  /** When that ends by itself, in milliseconds since 1970; undefined: not by itself. */
  endsAt: number | undefined;
}

/**
 * Who is there, as others may see it (contract 16.2): strangers, those who hide, who are behind a block, and everybody to
 * one who hides are not there, and nothing tells these apart.
 */
@Injectable()
export class PresenceViews {
  readonly #isOn: boolean;

  constructor(
    @Inject(CONFIG) { people }: Config,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly acquaintances: Acquaintances,
  ) {
    this.#isOn = people.presence;
  }

  /** The answers to some questions, in their order: a few statements, however many they are. */
  async answer(questions: readonly Question[]): Promise<Answer[]> {
    const shown = this.#isOn ? await this.#shownAmong(questions) : [];
    const ids = [...new Set(shown.map(({ otherId }) => otherId))];
    const presences = await presencesOf(this.dataSource.manager, ids, this.clock.now().getTime());
    const isShown = new Set(shown);
    return questions.map((question) => {
      const presence = isShown.has(question) ? presences.get(question.otherId) : undefined;
      return toAnswer(question.otherId, presence ?? OFFLINE);
    });
  }

  /** Those of some users who let others see when they are there. */
  showing(userIds: readonly number[]): Promise<Set<number>> {
    return showingAmong(this.dataSource.manager, userIds);
  }

  async #shownAmong(questions: readonly Question[]): Promise<Question[]> {
    const everybody = new Set(questions.flatMap(({ userId, otherId }) => [userId, otherId]));
    const showing = await this.showing([...everybody]);
    const open = questions.filter(({ userId, otherId }) => showing.has(userId) && showing.has(otherId));
    const known = await this.#acquaintedAmong(open);
    const blocked = await areBlocked(this.dataSource.manager, known);
    return known.filter((_, index) => !blocked[index]);
  }

  /** Those in which the one asked about is nobody else, or somebody whom the one who asks has to do with. */
  async #acquaintedAmong(questions: readonly Question[]): Promise<Question[]> {
    const { chats } = this.acquaintances;
    const own = questions.filter(
      ({ userId, otherId, conversationId }) => userId === otherId && conversationId === undefined,
    );
    const ofPairs = questions.filter(
      ({ userId, otherId, conversationId }) => userId !== otherId && conversationId === undefined,
    );
    const single = await chats.haveSingleChats(ofPairs);
    const places = questions.flatMap(({ userId, otherId, conversationId }) =>
      conversationId === undefined
        ? []
        : [
            { conversationId, userId },
            { conversationId, userId: otherId },
          ],
    );
    const among = await chats.areMembers(places);
    const ofMembers = questions.filter(({ conversationId }) => conversationId !== undefined);
    return [
      ...own,
      ...ofPairs.filter((_, index) => single[index]),
      ...ofMembers.filter((_, index) => among[2 * index] && among[2 * index + 1]),
    ];
  }
}

const toAnswer = (user_id: number, { online, lastSeenAt, endsAt }: Presence): Answer => ({
  item: { user_id, online, last_seen_at: lastSeenAt === null ? null : new Date(lastSeenAt) },
  endsAt,
});
