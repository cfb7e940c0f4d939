import * as fc from 'fast-check';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { DataSource } from 'typeorm';
import type { ApiResponse, ApiClient } from '../support/api-client';
import { createUsers, newUserIds } from '../support/calls';
import {
  arbitraryAction,
  performAction,
  type ConversationFixture,
  type Action,
} from '../support/conversation-actions';
import { type AnyEvent, ConversationTerminal } from '../support/conversation-terminal';
import { EventReader, type Frame } from '../support/event-reader';
import { HistoryTerminal } from '../support/history-terminal';
import { switchToLargeGroup } from '../support/messaging';
import type { Message } from '../support/messaging-types';
import { propertyRuns } from '../support/property-runs';
import { eventually } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';

/*
 * Consistency of snapshots and events (API 13.4), for the list of conversations and for histories, on two instances: a
 * snapshot together with the events after its cursor equals a new snapshot, regardless of the actions in between and
 * during the snapshot. Failures are races, so counterexamples are not minimised.
 */

const PEOPLE = 3;
const LIST = '/api/messages/conversations?per_page=100';
const historyOf = (id: number): string =>
  `/api/messages/conversations/${id}/messages?mark_read=0&per_page=100`;

const batches = fc.array(fc.array(arbitraryAction(PEOPLE), { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 16,
});

/** The initial requests of a client: its list, and then the histories of its conversations. */
interface Snapshot {
  list: ApiResponse;
  histories: Message[][];
}

describe('A list of conversations with its histories, and the events after its cursor', () => {
  let test: TestApp;
  let other: TestApp;
  let url: string;
  beforeAll(async () => {
    const env = { CHAT_NOTICES: 'members' };
    test = await createTestApp({ env });
    other = await createTestApp({ env, database: test.database, clock: test.clock });
    await test.app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(test.app.getHttpServer().address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  /** Creates users with a single chat and a group, which is a large group on request. */
  async function begin({ large }: { large: boolean }): Promise<ConversationFixture> {
    const ids = newUserIds(PEOPLE);
    const [here, there] = [await createUsers(test.api, ...ids), await createUsers(other.api, ...ids)];
    const people = here.map((client, index) => (index % 2 ? (there[index] ?? client) : client));
    const make = async (body: object): Promise<number> =>
      (await people[0]?.post('/api/messages/conversations', body))?.body.data.id as number;
    const group = await make({ type: 'group', name: 'G', member_ids: ids.slice(1) });
    if (large) await switchToLargeGroup(test, group);
    const conversations = [group, await make({ type: 'single', peer_id: ids[1] })];
    return { clock: test.clock, ids, people, conversations };
  }

  async function snapshotOf(
    { people, conversations }: ConversationFixture,
    index: number,
  ): Promise<Snapshot> {
    const user = people[index] ?? test.api;
    const list = await user.get(LIST);
    const pages = conversations.slice(0, 2).map((id) => user.get(historyOf(id)));
    // A user who is not a member receives no messages.
    return { list, histories: (await Promise.all(pages)).map(({ body }) => body.data?.items ?? []) };
  }
  const cursorOf = ({ list: { headers } }: Snapshot): number => Number(headers['x-event-cursor']);

  /** Returns the list and the histories of a client after a snapshot and the following events. */
  function stateAfter(
    fixture: ConversationFixture,
    index: number,
    snapshot: Snapshot,
    events: AnyEvent[] = [],
  ): unknown[] {
    const list = new ConversationTerminal(snapshot.list);
    const histories = snapshot.histories.map(
      (messages, place) =>
        new HistoryTerminal(fixture.ids[index] ?? 0, fixture.conversations[place] ?? 0, messages),
    );
    for (const event of events) for (const terminal of [list, ...histories]) terminal.apply(event);
    return [list.list, ...histories.map(({ messages }) => messages)];
  }

  /** Runs the batches, the steps of each concurrently, and `meanwhile` concurrently with batch number `start`. */
  async function playAll(
    fixture: ConversationFixture,
    all: Action[][],
    start: number,
    meanwhile: () => Promise<unknown>,
  ) {
    for (const [index, batch] of all.entries()) {
      const isStart = index === Math.min(start, all.length - 1);
      await Promise.all([
        ...(isStart ? [meanwhile()] : []),
        ...batch.map((step) => performAction(step, fixture)),
      ]);
    }
  }

  it('equals a fresh snapshot, for a polling client', async () => {
    await fc.assert(
      fc.asyncProperty(batches, fc.nat({ max: 6 }), async (all, start) => {
        const fixture = await begin({ large: false });
        let snapshots: Snapshot[] = [];
        await playAll(fixture, all, start, async () => {
          snapshots = await Promise.all(fixture.ids.map((_, index) => snapshotOf(fixture, index)));
        });
        for (const [index, snapshot] of snapshots.entries()) {
          const user = fixture.people[index] as ApiClient;
          const poll = await user.get(`/api/events/poll?after=${cursorOf(snapshot)}&limit=500`);
          const fresh = stateAfter(fixture, index, await snapshotOf(fixture, index));
          expect(stateAfter(fixture, index, snapshot, poll.body.data.items)).toEqual(fresh);
        }
      }),
      { ...propertyRuns(25), endOnFailure: true },
    );
  });

  it('equals a fresh snapshot, for a streaming client, also with a large group', async () => {
    await fc.assert(
      fc.asyncProperty(batches, fc.nat({ max: 6 }), async (all, start) => {
        const fixture = await begin({ large: true });
        const listeners: { reader: EventReader; snapshot: Snapshot }[] = [];
        await playAll(fixture, all, start, async () => {
          for (const [index, userId] of fixture.ids.entries()) {
            // The stream opens first, because messages of a large group have no cursor.
            const reader = await EventReader.open(url, { userId });
            listeners.push({ reader, snapshot: await snapshotOf(fixture, index) });
          }
        });
        for (const [index, { reader, snapshot }] of listeners.entries()) {
          const fresh = stateAfter(fixture, index, await snapshotOf(fixture, index));
          const replayed = await eventually(
            async () => stateAfter(fixture, index, snapshot, eventsAfter(reader.frames, cursorOf(snapshot))),
            (state) => isDeepStrictEqual(state, fresh),
          );
          reader.close();
          expect(replayed).toEqual(fresh);
        }
      }),
      { ...propertyRuns(15), endOnFailure: true },
    );
  });
});

describe('The first snapshot of a new user', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await test?.close();
  });

  it('contains a conversation created concurrently, or has a cursor before its event', async () => {
    const [ann, ben] = newUserIds(2) as [number, number];
    const [annOnline, benOnline] = (await createUsers(test.api, ann, ben)) as [ApiClient, ApiClient];
    const dataSource = test.app.get(DataSource);
    const ask = dataSource.query.bind(dataSource);
    let isFirst = true;
    jest.spyOn(dataSource, 'query').mockImplementation(async (sql, ...rest) => {
      const response: unknown = await ask(sql, ...rest);
      if (!isFirst || !sql.includes('event_cursor')) return response;
      isFirst = false;
      // Created after the list was read, which was empty.
      await annOnline.post('/api/messages/conversations', { type: 'single', peer_id: ben });
      return response;
    });
    const { body, headers } = await benOnline.get(LIST);
    jest.restoreAllMocks();
    const poll = await benOnline.get(`/api/events/poll?after=${Number(headers['x-event-cursor'])}`);
    const received = (poll.body.data.items as AnyEvent[]).map(({ conversation }) => conversation.peer_id);
    const listed = (body.data.items as { peer_id: number }[]).map(({ peer_id }) => peer_id);
    expect([...listed, ...received]).toEqual([ann]);
  });
});

/** Returns the events that a snapshot does not contain: those after the last frame with an id up to its cursor. */
function eventsAfter(frames: Frame[], cursor: number): AnyEvent[] {
  const last = frames.findLastIndex(({ id }) => id !== undefined && Number(id) <= cursor);
  return frames.slice(last + 1).map(({ data }) => data);
}
