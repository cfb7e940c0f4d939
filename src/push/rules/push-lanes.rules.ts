import { PUSH_KINDS, type PushKind } from '../entities/push-target.entity';
import type { PushOutcome } from './push-message.rules';

/*
 * Lanes of the queue: two per kind of target, so that a provider that does not respond delays no other one, and rings
 * never wait for other pushes. Users choose the endpoints of Web Push: those that did not accept their last push
 * quickly have two lanes of their own, in which a user has one slot, so that one user delays no other.
 */

interface LaneTarget {
  kind: PushKind;
  responsive: boolean | number;
}

const UNRESPONSIVE = PUSH_KINDS.length;

/** Maximum duration of a push that an endpoint accepts quickly. */
const QUICK_MS = 2_000;

export const isResponsive = ({ result }: PushOutcome, tookMs: number): boolean =>
  result === 'accepted' && tookMs <= QUICK_MS;

/** Returns the lane of the pushes of a target. */
export const laneOf = ({ kind, responsive }: LaneTarget, isCall: boolean): number => {
  const pair = kind === 'webpush' && !responsive ? UNRESPONSIVE : PUSH_KINDS.indexOf(kind);
  return 2 * pair + (isCall ? 0 : 1);
};

export const isCallLane = (lane: number): boolean => lane % 2 === 0;

/** Whether the endpoints of the lane did not accept their last push quickly, or have not received one. */
export const isUnresponsiveLane = (lane: number): boolean => Math.floor(lane / 2) === UNRESPONSIVE;

/** Returns the lanes of kinds, those of calls first. */
export const lanesOf = (kinds: readonly PushKind[]): number[] => {
  const targets = kinds.flatMap((kind) =>
    (kind === 'webpush' ? [true, false] : [true]).map((responsive) => ({ kind, responsive })),
  );
  return [true, false].flatMap((isCall) => targets.map((target) => laneOf(target, isCall)));
};
