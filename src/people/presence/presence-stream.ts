import type { ServerResponse } from 'node:http';
import type { Principal } from '../../common/auth/principal';
import { FrameWriter } from '../../events/live/frame-writer';
import type { PresenceItemResponse } from '../dto/presence.dto';
import type { Answer, Question } from './presence-views';

/** The users whom a stream shows. */
export interface Subscription {
  userIds: readonly number[];
  /** The conversation whose members they are; undefined if each is the other user of a single chat. */
  conversationId: number | undefined;
}

/**
 * An open presence stream: its users, and the last state sent of each. While the socket is full nothing is buffered;
 * only the users whose state must be read again are kept.
 */
export class PresenceStream {
  readonly #sent = new Map<number, number>();
  readonly #stale = new Set<number>();
  readonly #conversationId: number | undefined;
  #writer?: FrameWriter;
  #isEnded = false;
  /** Whether the stream's user could see others' presence when this was last checked. */
  seesOthers?: boolean;

  constructor(
    readonly principal: Principal,
    { userIds, conversationId }: Subscription,
  ) {
    this.userIds = userIds;
    this.#conversationId = conversationId;
  }

  /** The users whom the stream shows. */
  readonly userIds: readonly number[];

  /**
   * Starts the response with the first items. Users that became stale meanwhile are read again. A stream that was ended
   * before it began ends immediately.
   */
  begin(response: ServerResponse, answers: readonly Answer[], now: number): void {
    this.#writer = new FrameWriter(response, now);
    if (this.#isEnded) this.#writer.end();
    else this.say(answers, now);
  }

  /** Whether the stream has ended or its client has disconnected. */
  get isOver(): boolean {
    return this.#isEnded || (this.#writer?.isOver ?? false);
  }

  /** Marks the last state sent of a user as possibly outdated. */
  makeStale(userId: number): void {
    this.#stale.add(userId);
  }

  /** Marks all users as possibly outdated. */
  makeAllStale(): void {
    for (const userId of this.userIds) this.#stale.add(userId);
  }

  /**
   * Removes and returns at most `limit` questions about stale users; none before the stream has begun or while its
   * socket is full.
   */
  takeQuestions(limit: number): Question[] {
    if (!this.#writer?.canWrite) return [];
    const userIds = [...this.#stale].slice(0, limit);
    for (const userId of userIds) this.#stale.delete(userId);
    return this.#questionsOf(userIds);
  }

  /** Returns the questions about all users. */
  questions(): Question[] {
    return this.#questionsOf(this.userIds);
  }

  /** Sends the answers that differ from the last state sent. */
  say(answers: readonly Answer[], now: number): void {
    if (this.isOver) return;
    const frames = answers.flatMap(({ item }) => {
      const summary = summaryOf(item);
      if (this.#sent.get(item.user_id) === summary) return [];
      this.#sent.set(item.user_id, summary);
      return [`event: presence\ndata: ${JSON.stringify(item)}\n\n`];
    });
    if (frames.length > 0) this.#writer?.write(frames.join(''), now);
  }

  /** Sends a due comment, and ends the stream when the token has expired or the client has stopped reading. */
  tick(now: number): void {
    if (now >= this.principal.expiresAt) this.end();
    else this.#writer?.tick(now);
  }

  /** Ends the stream gracefully. */
  end(): void {
    this.#isEnded = true;
    this.#writer?.end();
  }

  #questionsOf(userIds: readonly number[]): Question[] {
    const [userId, conversationId] = [this.principal.id, this.#conversationId];
    return userIds.map((otherId) => ({ userId, otherId, conversationId }));
  }
}

/**
 * Returns the state of an item as a number, because a stream keeps one per user: -1 online, otherwise `last_seen_at` in
 * ms since 1970, or 0.
 */
const summaryOf = ({ online, last_seen_at }: PresenceItemResponse): number =>
  online ? -1 : (last_seen_at?.getTime() ?? 0);
