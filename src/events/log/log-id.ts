/*
 * Every user and every topic has a log of events. In the tables, and in messages between instances, the id of a log is
 * one number: the user's id, or the negated topic's id. Only this file depends on that.
 */

/** The log of a user's own events. */
export type UserLog = number & { readonly kind: 'user' };

/** The log of a topic's events, which are stored once for all its subscribers. */
export type TopicLog = number & { readonly kind: 'topic' };

export type LogId = UserLog | TopicLog;

export const userLog = (userId: number): UserLog => userId as UserLog;

/** @param topicId a positive number, chosen by the topic's source */
export const topicLog = (topicId: number): TopicLog => -topicId as TopicLog;

/** Returns the number that the topic's source has chosen. */
export const topicIdOf = (topic: TopicLog): number => Math.abs(topic);

export const isTopic = (log: LogId): log is TopicLog => log < 0;
