import type { PushConfig } from '../../config/push-config';
import { PUSH_KINDS, type PushKind } from '../entities/push-target.entity';

/** Returns the kinds of targets whose provider is configured. */
export function configuredKinds({ apns, fcm, vapid, gateway }: PushConfig): PushKind[] {
  const configured: Record<PushKind, unknown> = { apns, apns_voip: apns, fcm, webpush: vapid, gateway };
  return PUSH_KINDS.filter((kind) => configured[kind] !== undefined);
}
