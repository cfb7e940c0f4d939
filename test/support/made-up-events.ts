import type { EntityManager } from 'typeorm';
import { Transactions } from '../../src/database/transactions';
import { EventsService } from '../../src/events/events.service';
import type { NewEvent } from '../../src/events/log/event';
import type { TestApp } from './test-app';

/** An event of a type that no module knows: the log keeps whatever it is given. */
interface MadeUpEvent {
  userId: number;
  type: string;
  payload: object;
}

/** Adds made-up events to a running transaction. */
export const appendMadeUp = ({ app }: TestApp, em: EntityManager, events: MadeUpEvent[]): void =>
  app.get(EventsService).append(em, events as NewEvent[]);

/** Writes made-up events in a transaction of their own. */
export const writeMadeUp = (test: TestApp, events: MadeUpEvent[]): Promise<void> =>
  test.app.get(Transactions).run(async (em) => appendMadeUp(test, em, events));

/** Writes events of some made-up types into a user's log, in one transaction. */
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
