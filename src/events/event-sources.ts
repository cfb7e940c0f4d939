import { Injectable } from '@nestjs/common';
import type { LoggedEvent, UserEvent } from './log/event';
import type { EventType } from './log/event-types';
import type { TopicLog } from './log/log-id';

/** Events that are written into a user's log only when the user asks for events, such as broadcasts. */
export interface LateSource {
  /** Writes what these users' logs still lack. */
  catchUp(userIds: number[]): Promise<void>;
  /** Does so for those who listen here, whenever there may be something new; they are asked for at the last moment. */
  catchUpAll(listeners: () => number[]): Promise<void>;
}

/** A user who follows a topic, and the number of the topic's last event that is none of this user's business. */
export interface Follow {
  userId: number;
  topic: TopicLog;
  after: number;
}

/** What a user hears of a topic's event, as that user sees it; undefined: does not follow the topic (any more). */
export type EventView = (userId: number, event: LoggedEvent) => UserEvent[] | undefined;

/**
 * Events that are written once, whoever hears of them, such as those of a large group. A topic has a log like a
 * user's, under a number that the source chooses; listeners hear of it live, without a cursor.
 */
export interface TopicSource {
  /** The topics that these users follow. */
  follows(userIds: number[]): Promise<Follow[]>;
  /** How these users see some events of a topic, which come in order. What it says of counts is as of now. */
  viewFor(topic: TopicLog, events: LoggedEvent[], userIds: number[]): Promise<EventView>;
}

/** Events of one type whose payload must not stay as long as the log does: the log keeps a reference to it alone. */
export interface BodySource {
  readonly type: EventType;
  /** Puts the payloads in, which are JSON objects; an event whose payload is gone keeps its reference. */
  fill(events: readonly LoggedEvent[]): Promise<void>;
}

/** Where other modules register what they publish beyond writing into users' logs; they do so when they start. */
@Injectable()
export class EventSources {
  #late?: LateSource;
  #topics?: TopicSource;
  #bodies?: BodySource;

  get late(): LateSource | undefined {
    return this.#late;
  }

  get topics(): TopicSource | undefined {
    return this.#topics;
  }

  get bodies(): BodySource | undefined {
    return this.#bodies;
  }

  /** @throws {Error} when another source has registered */
  registerLate(source: LateSource): void {
    if (this.#late !== undefined) throw new Error('There is a source of late events already');
    this.#late = source;
  }

  /** @throws {Error} when another source has registered */
  registerTopics(source: TopicSource): void {
    if (this.#topics !== undefined) throw new Error('There is a source of topics already');
    this.#topics = source;
  }
  /** @throws {Error} when another source has registered */
  registerBodies(source: BodySource): void {
    if (this.#bodies !== undefined) throw new Error('There is a source of bodies already');
    this.#bodies = source;
  }
}
