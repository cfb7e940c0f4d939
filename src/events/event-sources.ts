import { Injectable } from '@nestjs/common';
import type { LoggedEvent } from './event';

/** Events that are written into a user's log only when the user looks, such as broadcasts. */
export interface LateSource {
  /** Writes what these users are still to be told. */
  catchUp(userIds: number[]): Promise<void>;
  /** The same for those who listen here, whenever there may be something new; they are asked for at the last moment. */
  catchUpAll(listeners: () => number[]): Promise<void>;
}

/** A user who follows a topic, and the number of the topic's last event that is none of this user's business. */
export interface Follow {
  userId: number;
  topic: number;
  after: number;
}

/** What a user is told of a topic's event, as that user sees it; undefined: does not follow the topic (any more). */
export type Tell = (userId: number, event: LoggedEvent) => { type: string; payload: object }[] | undefined;

/**
 * Events that are written once, whoever hears of them, such as those of a large group. A topic has a log like a
 * user's, under a negative number that the source chooses; listeners are told from it live, without a cursor.
 */
export interface TopicSource {
  /** The topics that these users follow. */
  follows(userIds: number[]): Promise<Follow[]>;
  /** How to tell these users of some events of a topic, in order. What it says of counts is as of now. */
  tell(topic: number, events: LoggedEvent[], userIds: number[]): Promise<Tell>;
}

/** Where other modules register what they tell beyond writing into users' logs; they do so when they start. */
@Injectable()
export class EventSources {
  late?: LateSource;
  topics?: TopicSource;
}
