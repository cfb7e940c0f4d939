import { AsyncLocalStorage } from 'node:async_hooks';
import { DataSource } from 'typeorm';
import { BusinessError } from '../../src/common/errors/business-error';
import type { ConversationId, UserId } from '../../src/common/ids';
import { Transactions } from '../../src/database/transactions';
import { MessagesService } from '../../src/messaging/services/messages.service';
import { lockConversation } from '../../src/messaging/store/membership';
import type { TestApp } from './test-app';

/* Sends that come so close together that they share a transaction, with certainty. */

export interface Wanted {
  by: number;
  content: string;
  id?: string;
  mentions?: number[];
}

/** What became of a send: the message's id, or the error's key. */
export type Outcome = number | string;

/**
 * Sends messages to a conversation at the same time: the first takes a transaction of its own, and the others, which
 * come while it is under way, share the next.
 */
export async function sendTogether(
  { app }: TestApp,
  conversation: number,
  wanted: Wanted[],
): Promise<Outcome[]> {
  const service = app.get(MessagesService);
  const sends = wanted.map(({ by, id, ...said }) => {
    const body = { type: 'text' as const, client_msg_id: id, ...said };
    return service.send(by as UserId, conversation as ConversationId, body);
  });
  return (await Promise.allSettled(sends)).map((result) => {
    if (result.status === 'fulfilled') return result.value.id;
    const error: unknown = result.reason;
    return error instanceof BusinessError ? error.key : 'another error';
  });
}

/** How many transactions are begun while `work` is done. */
export async function transactionsOf({ app }: TestApp, work: () => Promise<unknown>): Promise<number> {
  const dataSource = app.get(DataSource);
  const transaction = dataSource.transaction.bind(dataSource) as (...asked: unknown[]) => Promise<unknown>;
  // What is done now and then by itself is not counted.
  const within = new AsyncLocalStorage<true>();
  let count = 0;
  const spy = jest.spyOn(dataSource, 'transaction').mockImplementation((...asked: unknown[]) => {
    if (within.getStore()) count += 1;
    return transaction(...asked);
  });
  try {
    await within.run(true, work);
    return count;
  } finally {
    spy.mockRestore();
  }
}

/**
 * Does something to a conversation while others wait for its lock: `meanwhile` begins once the lock is held, and
 * `change` is committed before anything of what it began.
 */
export async function underLock<T>(
  { app }: TestApp,
  conversation: number,
  { meanwhile, change }: { meanwhile: () => T; change: string[] },
): Promise<T> {
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const holding = app.get(Transactions).run(async (em) => {
    await lockConversation(em, conversation);
    held.resolve();
    await begun.promise;
    for (const sql of change) await em.query(sql);
  });
  await held.promise;
  const result = meanwhile();
  begun.resolve();
  await holding;
  return result;
}
