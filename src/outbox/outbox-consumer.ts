import type { EntityManager } from 'typeorm';
import type { ActType } from './act-types';

/** An act as it is routed: one row of the outbox, whose ids never change. */
export interface OutboxAct {
  /** `msg_…`, the same for ever: the `webhook-id`. */
  eventId: string;
  type: ActType;
  /** What it is about, such as `call:17`. */
  subject: string;
  /** A JSON object, as it was written. */
  payload: string;
  /** When it happened. */
  at: Date;
}

/** Who wants acts. It registers with `OutboxRouter` when its module starts. */
export abstract class OutboxConsumer {
  /** The types that somebody wants now; asked every few seconds. Acts of others are not even written down. */
  abstract wantedTypes(): Promise<ReadonlySet<ActType>>;

  /**
   * Writes what follows from some acts, within the transaction that takes them out of the outbox: each act comes once.
   * There may be acts among them that nobody wants, or wants any longer. It awaits nothing but `em`, and takes rows of its
   * own alone: the acts' rows, which those who cause acts take last, are held already. When it throws, the acts come again.
   */
  abstract route(acts: readonly OutboxAct[], em: EntityManager): Promise<void>;

  /** What was routed is committed, and may be begun with at once. It must not throw. */
  abstract routed(): void;
}
