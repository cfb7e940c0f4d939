import type { ServerResponse } from 'node:http';
import type { Principal } from '../../common/auth/principal';
import type { EventView } from '../event-sources';
import { type LoggedEvent, toFrame } from '../log/event';
import type { Page } from '../log/event-pages';
import { RESYNC } from '../log/event-types';
import { type TopicLog, type UserLog, userLog } from '../log/log-id';
import { FrameWriter } from './frame-writer';

interface Options {
  /** Who listens, as the token said. */
  principal: Principal;
  response: ServerResponse;
  /** The cursor after which it reads. */
  position: number;
  /** The number after which it reads in each topic that its user follows. */
  topics: ReadonlyMap<TopicLog, number>;
  now: number;
}

/**
 * One open event stream: how far it has come in its user's log and in each topic, which it alone moves on. It holds no
 * events: what its socket does not take at once stays in the database and is read again when the socket has drained, so
 * a slow reader costs one socket buffer, however much it has to catch up with.
 */
export class EventStream {
  readonly principal: Principal;
  readonly #writer: FrameWriter;
  readonly #topics: Map<TopicLog, number>;
  #position: number;
  #keepsUp = false;
  #waitedAt?: number;

  constructor({ principal, response, position, topics, now }: Options) {
    this.principal = principal;
    this.#writer = new FrameWriter(response, now);
    this.#position = position;
    this.#topics = new Map(topics);
  }

  get userId(): number {
    return this.principal.id;
  }

  /** What it reads besides topics. */
  get log(): UserLog {
    return userLog(this.userId);
  }

  /** The cursor of the last event that it has sent, or begun after. */
  get position(): number {
    return this.#position;
  }

  /** Whether it has all that there was when it last read, so that what comes now is new and not catching up. */
  get keepsUp(): boolean {
    return this.#keepsUp;
  }

  /** Whether it takes nothing any more: it has ended, or its reader has gone. */
  get isOver(): boolean {
    return this.#writer.isOver;
  }

  /** Whether its socket still holds what it was given before. */
  get isStalled(): boolean {
    return this.#writer.isStalled;
  }

  /** How many bytes wait for the reader. */
  get buffered(): number {
    return this.#writer.buffered;
  }

  /** The topics that it follows. */
  get topics(): TopicLog[] {
    return [...this.#topics.keys()];
  }

  follows(topic: TopicLog): boolean {
    return this.#topics.has(topic);
  }

  /** The number of the last event of a topic that it has published, or begun after. */
  positionIn(topic: TopicLog): number {
    return this.#topics.get(topic) ?? 0;
  }

  /** Follows a topic from now on, after the event of this number. */
  follow(topic: TopicLog, after: number): void {
    this.#topics.set(topic, after);
  }

  unfollow(topic: TopicLog): void {
    this.#topics.delete(topic);
  }

  /**
   * A topic has to wait until the stream has read on in its user's log.
   * @returns whether none has waited at this position before: a log that cannot be read on is a matter for the next poll
   */
  askToReadOn(): boolean {
    const isFirst = this.#waitedAt !== this.#position;
    this.#waitedAt = this.#position;
    return isFirst;
  }

  /** Writes the events of its user that come next until the socket has enough; the position says how far it came. */
  send({ events, hasMore }: Page, now: number): void {
    for (const event of events) {
      if (!this.#takesMore) break;
      if (event.seq <= this.#position) continue;
      this.#position = event.seq;
      this.#writer.write(toFrame(event), now);
    }
    this.#keepsUp = !hasMore && !this.isStalled;
  }

  /**
   * Writes events of a topic, as its user sees them, until the socket has enough.
   * @returns false when the user does not follow the topic
   */
  publish(topic: TopicLog, events: LoggedEvent[], view: EventView, now: number): boolean {
    for (const event of events) {
      if (!this.#takesMore) return true;
      if (event.seq <= this.positionIn(topic)) continue;
      const published = view(this.userId, event);
      if (published === undefined) return false;
      this.#topics.set(topic, event.seq);
      const { created_at } = event;
      const frames = published.map(({ type, payload }) =>
        toFrame({ type, payload: JSON.stringify(payload), created_at }),
      );
      if (frames.length > 0) this.#writer.write(frames.join(''), now);
    }
    return true;
  }

  /** Writes a frame that is in no log; a socket that has enough goes without. */
  tell(frame: string, now: number): void {
    if (this.#takesMore) this.#writer.write(frame, now);
  }

  /** Tells the client to fetch anew: events up to this cursor are gone that it has not been sent (contract 7). */
  resync(cursor: number, now: number): void {
    if (!this.#takesMore) return;
    this.#position = cursor;
    this.#writer.write(toFrame({ seq: cursor, type: RESYNC, payload: '{}', created_at: new Date(now) }), now);
  }

  /** Tells the client so when events of a topic are gone, up to this number; they have no cursor of their own. */
  resyncTopic(topic: TopicLog, seq: number, now: number): void {
    if (!this.#takesMore) return;
    this.#topics.set(topic, seq);
    this.resync(this.#position, now);
  }

  /** The socket is empty again. */
  drained(): void {
    this.#writer.drained();
  }

  /** What time brings: a comment when it is due, the end when the token has expired or nobody reads any more. */
  tick(now: number): void {
    if (now >= this.principal.expiresAt) this.end();
    else this.#writer.tick(now);
  }

  /** Ends it in order. */
  end(): void {
    this.#writer.end();
  }

  /** Ends it at once. */
  drop(): void {
    this.#writer.drop();
  }

  get #takesMore(): boolean {
    return !this.isStalled && !this.isOver;
  }
}
