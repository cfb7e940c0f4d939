import type { EntityManager } from 'typeorm';
import type { NotificationId, UserId } from '../../common/ids';
import { batchedStep } from '../../database/batching/batched-step';
import { pipeline } from '../../database/transaction-statements';
import { beginEpochs, changeNotificationCounts, type NotificationCountChange } from '../store/counts.store';
import { storeRead } from '../store/inbox.store';
import { readLocked, readLockedWith, type TargetKey } from '../store/locked-inbox.store';
import { type Removal, removeNotifications } from '../store/removals.store';

/**
 * The steps of one batched transaction on inboxes. Callbacks that reach a step in the same turn of the event loop share
 * its statements. After a statement sent through `em`, callbacks continue in different turns and share no further
 * statement. Steps that only write return when their statement is sent.
 */
export class InboxBatch {
  /** @param lockInboxes locks the inboxes of users, and opens missing ones */
  constructor(
    readonly em: EntityManager,
    private readonly lockInboxes: (userIds: readonly number[]) => Promise<boolean>,
  ) {}

  /** Locks the user's inbox until the commit. Returns false if inboxes were missing and have been opened. */
  readonly lock = batchedStep(async (userIds: readonly UserId[]) => {
    const wereOpen = await this.lockInboxes(userIds);
    return userIds.map(() => wereOpen);
  });

  /** Returns the user's inbox, which the transaction has locked; undefined if it is not open. */
  readonly read = batchedStep(async (userIds: readonly UserId[]) => {
    const inboxes = await readLocked(this.em, userIds);
    const byUser = new Map(inboxes.map((inbox) => [inbox.user_id, inbox]));
    return userIds.map((userId) => byUser.get(userId));
  });

  /** Returns the user's locked inbox with a notification; undefined if the user has no such notification. */
  readonly readWith = batchedStep((keys: readonly TargetKey[]) => readLockedWith(this.em, keys));

  /** Marks a notification of a locked inbox as read individually. */
  readonly storeRead = batchedStep((ids: readonly NotificationId[]) => this.#send(storeRead(this.em, ids)));

  /** Applies a change to the counts, in the database and in the locked inbox. */
  readonly count = batchedStep((changes: readonly NotificationCountChange[]) =>
    this.#send(changeNotificationCounts(this.em, changes)),
  );

  /** Stores a new epoch of a type, or of every type, of a locked inbox. */
  readonly storeEpoch = batchedStep((requests: Parameters<typeof beginEpochs>[1]) =>
    this.#send(beginEpochs(this.em, requests)),
  );

  /** Deletes a notification and subtracts it from the counts. */
  readonly remove = batchedStep((removals: readonly Removal[]) => removeNotifications(this.em, removals));

  #send(write: Promise<void>): Promise<void> {
    pipeline(this.em, write);
    return Promise.resolve();
  }
}
