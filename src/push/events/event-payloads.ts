import type { PushKind } from '../entities/push-target.entity';

declare module '../../events/log/event-types' {
  interface EventPayloads {
    /** The provider reports that a token does not exist any more: the app should register again. */
    'push.target_removed': { id: number; kind: PushKind; terminal_id: string; reason: string };
  }
}
