import type { EntityManager } from 'typeorm';
import { Transactions } from '../../src/database/transactions';
import { EventsService } from '../../src/events/events.service';
import type { NewEvent } from '../../src/events/log/event';
import type { TestApp } from './test-app';

/** An event of an arbitrary type: the log does not validate types. */
type TestEvent = { userId: number; type: string } & ({ payload: object } | { shared: object; own: object });

/** Adds test events to a running transaction. */
export const appendTestEvents = ({ app }: TestApp, em: EntityManager, events: TestEvent[]): void =>
  app.get(EventsService).append(em, events as NewEvent[]);

/** Writes test events in a transaction of their own. */
export const writeTestEvents = (test: TestApp, events: TestEvent[]): Promise<void> =>
  test.app.get(Transactions).run(async (em) => appendTestEvents(test, em, events));

/** Writes events of some test types into a user's log, in one transaction. */
export const writeEventsOfTypes = (
  test: TestApp,
  userId: number,
  types: string[],
  payload: object = {},
): Promise<void> =>
  writeTestEvents(
    test,
    types.map((type) => ({ userId, type, payload })),
  );
