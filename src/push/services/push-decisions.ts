import { Injectable } from '@nestjs/common';
import type { PushContent } from '../../config/push-config';

/** What a user's preferences allow. `silent`: without sound and light; rings are never silent. */
export interface PushDecision {
  delivery: 'normal' | 'silent' | 'none';
  /** How much a push may contain; the operator's `PUSH_CONTENT` may allow less. */
  preview: PushContent;
}

/** The subject of a push. `type` of a notification. */
export type PushSubject =
  { kind: 'call' } | { kind: 'message' } | { kind: 'notification'; type: string; critical?: boolean };

/** Decides for users how they receive pushes about a subject. */
@Injectable()
export class PushDecisions {
  /** Returns the decisions as of `now`, by user id. */
  decide(userIds: readonly number[], _subject: PushSubject, _now: Date): Promise<Map<number, PushDecision>> {
    return Promise.resolve(new Map(userIds.map((id) => [id, { delivery: 'normal', preview: 'full' }])));
  }
}
