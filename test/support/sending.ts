import { AsyncLocalStorage } from 'node:async_hooks';
import { DataSource } from 'typeorm';
import { BusinessError } from '../../src/common/errors/business-error';
import type { ConversationId, UserId } from '../../src/common/ids';
import { Transactions } from '../../src/database/transactions';
import { MessagesService } from '../../src/messaging/services/messages.service';
import { lockConversation } from '../../src/messaging/store/membership.store';
import type { TestApp } from './test-app';

/* Concurrent sends that are guaranteed to share a transaction. */

export interface SendRequest {
  senderId: number;
  content: string;
  id?: string;
  mentions?: number[];
}

/** Result of a send: the message's id, or the error key. */
export type Outcome = number | string;

/**
 * Sends messages to a conversation concurrently: the first runs in a transaction of its own, and the others, which
 * arrive while it is running, share the next one.
 */
export async function sendConcurrently(
  { app }: TestApp,
  conversation: number,
  wanted: SendRequest[],
): Promise<Outcome[]> {
  const service = app.get(MessagesService);
  const sends = wanted.map(({ senderId: by, id, ...said }) => {
    const body = { type: 'text' as const, client_msg_id: id, ...said };
    return service.send(by as UserId, conversation as ConversationId, body);
  });
  return (await Promise.allSettled(sends)).map((result) => {
    if (result.status === 'fulfilled') return result.value.id;
    const error: unknown = result.reason;
    return error instanceof BusinessError ? error.key : 'another error';
  });
}

/** Returns the number of transactions that `work` starts. */
export async function countTransactions({ app }: TestApp, work: () => Promise<unknown>): Promise<number> {
  const dataSource = app.get(DataSource);
  const transaction = dataSource.transaction.bind(dataSource) as (...asked: unknown[]) => Promise<unknown>;
  // Excludes transactions of background jobs.
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
 * Changes a conversation while other requests wait for its lock: `meanwhile` starts once the lock is taken, and
 * `change` is committed before any of the requests that it started.
 */
export async function whileLocked<T>(
  { app }: TestApp,
  conversation: number,
  { meanwhile, change }: { meanwhile: () => T; change: string[] },
): Promise<T> {
  const held = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const lockHolder = app.get(Transactions).run(async (em) => {
    await lockConversation(em, conversation);
    held.resolve();
    await started.promise;
    for (const sql of change) await em.query(sql);
  });
  await held.promise;
  const result = meanwhile();
  started.resolve();
  await lockHolder;
  return result;
}
