import type { ServerResponse } from 'node:http';
import type { Principal } from '../../common/auth/principal';
import { FrameWriter } from '../../events/live/frame-writer';
import type { PresenceItemResponse } from '../dto/presence.dto';
import type { Answer, Question } from './presence-views';

/** Whom a stream shows. */
export interface Subscription {
  userIds: readonly number[];
  /** The group that they are members of; undefined: each is the other side of a single chat. */
  conversationId: number | undefined;
}

/**
 * One open presence stream: whom it shows, and what it has said of each. Of what its socket does not take, it keeps only
 * whose presence is to be looked at again.
 */
export class PresenceStream {
  readonly #said = new Map<number, number>();
  readonly #stale = new Set<number>();
  readonly #conversationId: number | undefined;
  #writer?: FrameWriter;
  #isEnded = false;
  /** Whether its user could see anybody when that was asked last. */
  seesOthers?: boolean;

  constructor(
    readonly principal: Principal,
    { userIds, conversationId }: Subscription,
  ) {
    this.userIds = userIds;
    this.#conversationId = conversationId;
  }

  /** Whom it shows. */
  readonly userIds: readonly number[];

  /** Answers the request. What has become stale meanwhile is asked again; one that was ended meanwhile ends. */
  begin(response: ServerResponse, answers: readonly Answer[], now: number): void {
    this.#writer = new FrameWriter(response, now);
    if (this.#isEnded) this.#writer.end();
    else this.say(answers, now);
  }

  /** Whether it takes nothing any more. */
  get isOver(): boolean {
    return this.#isEnded || (this.#writer?.isOver ?? false);
  }

  /** What of somebody it said last may be wrong. */
  makeStale(userId: number): void {
    this.#stale.add(userId);
  }

  /** Everything may be. */
  makeAllStale(): void {
    for (const userId of this.userIds) this.#stale.add(userId);
  }

  /** What it has to ask now, `limit` questions at most; nothing before it has begun, and while its socket is full. */
  takeQuestions(limit: number): Question[] {
    if (this.#writer === undefined || this.#writer.isStalled || this.isOver) return [];
    const userIds = [...this.#stale].slice(0, limit);
    for (const userId of userIds) this.#stale.delete(userId);
    return userIds.map((otherId) => this.questionOf(otherId));
  }

  questionOf(otherId: number): Question {
    return { userId: this.principal.id, otherId, conversationId: this.#conversationId };
  }

  /** Says what is new in some answers. */
  say(answers: readonly Answer[], now: number): void {
    if (this.isOver) return;
    const frames = answers.flatMap(({ item }) => {
      const said = summaryOf(item);
      if (this.#said.get(item.user_id) === said) return [];
      this.#said.set(item.user_id, said);
      return [`event: presence\ndata: ${JSON.stringify(item)}\n\n`];
    });
    if (frames.length > 0) this.#writer?.write(frames.join(''), now);
  }

  /** The socket is empty again. */
  drained(): void {
    this.#writer?.drained();
  }

  /** What time brings: a comment when it is due, the end when the token has expired or nobody reads any more. */
  tick(now: number): void {
    if (now >= this.principal.expiresAt) this.end();
    else this.#writer?.tick(now);
  }

  /** Ends it in order. */
  end(): void {
    this.#isEnded = true;
    this.#writer?.end();
  }
}

/** All that can differ between two items of one user, as a number: a stream keeps one for each whom it shows. */
const summaryOf = ({ online, last_seen_at }: PresenceItemResponse): number =>
  online ? -1 : (last_seen_at?.getTime() ?? 0);
