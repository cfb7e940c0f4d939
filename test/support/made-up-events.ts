import type { EntityManager } from 'typeorm';
import { Transactions } from '../../src/database/transactions';
import { EventsService } from '../../src/events/events.service';
import type { NewEvent } from '../../src/events/log/event';
import type { TestApp } from './test-app';

/** An event of an arbitrary type: the log does not validate types. */
type MadeUpEvent = { userId: number; type: string } & ({ payload: object } | { shared: object; own: object });

/** Adds test events to a running transaction. */
export const appendMadeUp = ({ app }: TestApp, em: EntityManager, events: MadeUpEvent[]): void =>
  app.get(EventsService).append(em, events as NewEvent[]);

/** Writes test events in a transaction of their own. */
export const writeMadeUp = (test: TestApp, events: MadeUpEvent[]): Promise<void> =>
  test.app.get(Transactions).run(async (em) => appendMadeUp(test, em, events));

/** Writes events of some test types into a user's log, in one transaction. */
export const appendEvents = (
  test: TestApp,
  userId: number,
  types: string[],
  payload: object = {},
): Promise<void> =>
  writeMadeUp(
    test,
    types.map((type) => ({ userId, type, payload })),
  );
