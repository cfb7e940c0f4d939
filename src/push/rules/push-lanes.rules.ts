import { PUSH_KINDS, type PushKind } from '../entities/push-target.entity';

/*
 * Lanes of the queue: two per kind of target, so that a provider that does not respond delays no other one, and rings
 * never wait for other pushes.
 */

/** Returns the lane of the pushes of a kind. */
export const laneOf = (kind: PushKind, isCall: boolean): number =>
  2 * PUSH_KINDS.indexOf(kind) + (isCall ? 0 : 1);

export const isCallLane = (lane: number): boolean => lane % 2 === 0;

/** Returns the lanes of kinds, those of calls first. */
export const lanesOf = (kinds: readonly PushKind[]): number[] =>
  [true, false].flatMap((isCall) => kinds.map((kind) => laneOf(kind, isCall)));
