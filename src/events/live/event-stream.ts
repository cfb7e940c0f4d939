import type { ServerResponse } from 'node:http';
import type { Principal } from '../../common/auth/principal';
import type { EventView } from '../event-sources';
import { type LoggedEvent, toFrame } from '../log/event';
import type { EventPage } from '../log/event-pages';
import { RESYNC } from '../log/event-types';
import { type TopicLog, type UserLog, userLog } from '../log/log-id';
import { FrameWriter } from './frame-writer';

interface Options {
  /** The user, as authenticated by the token. */
  principal: Principal;
  response: ServerResponse;
  /** The cursor after which the stream starts. */
  position: number;
  /** Per subscribed topic, the number of the event after which the stream starts. */
  topics: ReadonlyMap<TopicLog, number>;
  now: number;
}

/**
 * One open event stream. Stores its position in its user's log and in each topic; only the stream itself advances them.
 * It buffers no events: those that the socket does not accept immediately stay in the database, and are read again when
 * the socket has drained. A slow client therefore costs one socket buffer, regardless of its backlog.
 */
export class EventStream extends FrameWriter {
  readonly principal: Principal;
  readonly #topics: Map<TopicLog, number>;
  #position: number;
  #keepsUp = false;
  /** Position at which a topic waited last. */
  #lastWaitPosition?: number;

  constructor({ principal, response, position, topics, now }: Options) {
    super(response, now);
    this.principal = principal;
    this.#position = position;
    this.#topics = new Map(topics);
  }

  get userId(): number {
    return this.principal.id;
  }

  /** The log of its user. */
  get log(): UserLog {
    return userLog(this.userId);
  }

  /** Cursor of the last event sent, initially the one after which the stream starts. */
  get position(): number {
    return this.#position;
  }

  /** Whether the last read returned all stored events, so that further events are new ones and not backlog. */
  get keepsUp(): boolean {
    return this.#keepsUp;
  }

  /** The subscribed topics. */
  get topics(): TopicLog[] {
    return [...this.#topics.keys()];
  }

  follows(topic: TopicLog): boolean {
    return this.#topics.has(topic);
  }

  /** Number of the last event sent of a topic, initially the one after which the stream starts. */
  positionIn(topic: TopicLog): number {
    return this.#topics.get(topic) ?? 0;
  }

  /** Subscribes to a topic, starting after the event of this number. */
  follow(topic: TopicLog, after: number): void {
    this.#topics.set(topic, after);
  }

  unfollow(topic: TopicLog): void {
    this.#topics.delete(topic);
  }

  /**
   * Records that a topic waits until the stream has read further in its user's log.
   * @returns whether this is the first wait at the current position. If it is not, the log could not be read further,
   * and the next poll retries
   */
  askToReadOn(): boolean {
    const isFirst = this.#lastWaitPosition !== this.#position;
    this.#lastWaitPosition = this.#position;
    return isFirst;
  }

  /** Writes the next events of the user's log until the socket's buffer is full, and advances the position. */
  send({ events, hasMore }: EventPage, now: number): void {
    for (const event of events) {
      if (!this.canWrite) break;
      if (event.seq <= this.#position) continue;
      this.#position = event.seq;
      this.write(toFrame(event), now);
    }
    this.#keepsUp = !hasMore && !this.isStalled;
  }

  /**
   * Writes the user's views of events of a topic until the socket's buffer is full.
   * @returns false if the user is not subscribed to the topic
   */
  publish(topic: TopicLog, events: LoggedEvent[], view: EventView, now: number): boolean {
    for (const event of events) {
      if (!this.canWrite) return true;
      if (event.seq <= this.positionIn(topic)) continue;
      const published = view(this.userId, event);
      if (published === undefined) return false;
      this.#topics.set(topic, event.seq);
      const { created_at } = event;
      const frames = published.map(({ type, payload }) =>
        toFrame({ type, payload: JSON.stringify(payload), created_at }),
      );
      if (frames.length > 0) this.write(frames.join(''), now);
    }
    return true;
  }

  /** Writes the frame of an ephemeral event. Drops it if the socket's buffer is full. */
  sendFrame(frame: string, now: number): void {
    if (this.canWrite) this.write(frame, now);
  }

  /**
   * Sends `resync`: unsent events up to this cursor were deleted, so the client must fetch its data again (API 13.2).
   */
  resync(cursor: number, now: number): void {
    if (!this.canWrite) return;
    this.#position = cursor;
    this.write(toFrame({ seq: cursor, type: RESYNC, payload: '{}', created_at: new Date(now) }), now);
  }

  /** Sends `resync` because unsent events of a topic up to this number were deleted. Topic events have no cursor. */
  resyncTopic(topic: TopicLog, seq: number, now: number): void {
    if (!this.canWrite) return;
    this.#topics.set(topic, seq);
    this.resync(this.#position, now);
  }

  /**
   * Called once a second: sends a comment when due, ends the stream if the token has expired, drops a stalled client.
   */
  override tick(now: number): void {
    if (now >= this.principal.expiresAt) this.end();
    else super.tick(now);
  }
}
