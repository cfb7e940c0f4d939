/*
 * Every user has a log of events, and so has every topic. In the tables, and between instances, a log is one number: that
 * of its user, or below zero that of its topic. Only this file knows it.
 */

/** The log of a user's own events. */
export type UserLog = number & { readonly kind: 'user' };

/** The log of what happens in a topic, once for all who follow it. */
export type TopicLog = number & { readonly kind: 'topic' };

export type LogId = UserLog | TopicLog;

export const userLog = (userId: number): UserLog => userId as UserLog;

/** @param topicId a positive number, which the source of the topic chooses */
export const topicLog = (topicId: number): TopicLog => -topicId as TopicLog;

/** The number that the source of the topic has chosen. */
export const topicIdOf = (topic: TopicLog): number => Math.abs(topic);

export const isTopic = (log: LogId): log is TopicLog => log < 0;
