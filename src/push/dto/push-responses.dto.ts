import { PUSH_CONTENTS, type PushContent } from '../../config/push-config';
import { OneOfTexts, TimestampField } from '../../openapi/response-fields';
import {
  PUSH_KINDS,
  type PushKind,
  type PushTargetEntity,
  type TargetState,
} from '../entities/push-target.entity';

/** Configuration that an app needs to register for pushes. */
export class PushConfigResponse {
  /**
   * The kinds of targets that can be registered; empty: push is not configured.
   * @example ["webpush"]
   */
  kinds!: PushKind[];
  /**
   * The `applicationServerKey` of Web Push subscriptions; null if Web Push is not configured.
   * @example "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
   */
  vapid_public_key!: string | null;
  /**
   * How much pushes contain at most: `full` texts, `names` and titles, or only `ids`.
   * @example "names"
   */
  @OneOfTexts(...PUSH_CONTENTS)
  content!: PushContent;
}

/** A terminal that receives pushes. Responses never contain its token. */
export class PushTargetResponse {
  id!: number;
  /** How it receives pushes. */
  @OneOfTexts(...PUSH_KINDS)
  kind!: PushKind;
  /**
   * The terminal, as in calls.
   * @example "phone-1"
   */
  terminal_id!: string;
  /**
   * Bundle id of the app; null if it has none.
   * @example "com.example.callboard"
   */
  app!: string | null;
  /**
   * Provider behind the gateway; null for other kinds.
   * @example "huawei"
   */
  provider!: string | null;
  /** `rejected`: the provider does not accept the token, which is tried again later and when it is registered. */
  state!: TargetState;
  /**
   * Why the provider rejected it; null while it is active.
   * @example "BadDeviceToken"
   */
  reason!: string | null;
  /**
   * Number of pushes whose receipt the app has confirmed.
   * @example 3
   */
  received!: number;
  /** When the app last confirmed a push; null if never. */
  @TimestampField()
  received_at!: string | null;
  @TimestampField()
  created_at!: string;
  /** When the app last registered. A target that was not seen for 180 days is deleted. */
  @TimestampField()
  seen_at!: string;
}

/** The push targets of a user. */
export class PushTargetsResponse {
  /** At most 20, ordered by id. */
  items!: PushTargetResponse[];
}

/** Result of a test push. */
export class PushTestResponse {
  /** Whether the provider accepted the push. */
  accepted!: boolean;
  /**
   * Why the provider did not accept it, such as `BadDeviceToken` or `timeout`; `calls_only`: a test would end the app of a
   * VoIP target, so none was sent; null if it was accepted.
   * @example "BadDeviceToken"
   */
  reason!: string | null;
}

/** The targets of one kind, of all users. */
export class PushKindResponse {
  /** The kind of targets. */
  @OneOfTexts(...PUSH_KINDS)
  kind!: PushKind;
  /** Whether its provider is configured. */
  configured!: boolean;
  /**
   * Number of active targets.
   * @example 12
   */
  active!: number;
  /**
   * Number of targets whose token the provider rejects.
   * @example 0
   */
  rejected!: number;
  /**
   * Number of pushes whose receipt the terminals have confirmed.
   * @example 40
   */
  received!: number;
}

/** State of the push queue. */
export class PushHealthResponse {
  /**
   * Number of pushes that are due.
   * @example 0
   */
  due!: number;
  /**
   * Seconds by which the oldest of them is overdue, 0 if none is. Pushes to endpoints that do not respond do not count.
   * @example 0
   */
  oldest_seconds!: number;
  /**
   * Number of broadcasts and messages of large groups whose pushes are not all queued yet.
   * @example 0
   */
  fanouts!: number;
  /** The targets by kind. */
  kinds!: PushKindResponse[];
}

export const toPushTargetResponse = (target: PushTargetEntity): PushTargetResponse => ({
  id: target.id,
  kind: target.kind,
  terminal_id: target.terminal_id,
  app: target.app,
  provider: target.provider,
  state: target.state,
  reason: target.reason,
  received: target.received,
  received_at: target.received_at?.toISOString() ?? null,
  created_at: target.created_at.toISOString(),
  seen_at: target.seen_at.toISOString(),
});
