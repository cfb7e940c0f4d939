import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import type { AddressInfo } from 'node:net';
import type { Answer, ApiClient } from '../support/api-client';
import { meet, newUserIds } from '../support/calls';
import { anAct, play, type Scene, type Step } from '../support/conversation-acts';
import { type AnyEvent, ConversationTerminal } from '../support/conversation-terminal';
import { EventReader, type Frame } from '../support/event-reader';
import { makeLarge } from '../support/messaging';
import { eventually } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';

/*
 * The law that clients live by (contract 7), for the list of conversations: a snapshot, and the events after its
 * cursor, are the same as a fresh snapshot, whatever happens in between and while the snapshot is taken. What fails is a
 * race, so a counterexample is not made smaller.
 */

const PEOPLE = 3;
const LIST = '/api/messages/conversations?per_page=100';

const batches = fc.array(fc.array(anAct(PEOPLE), { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 16,
});

describe('A list of conversations and the events after its cursor', () => {
  let test: TestApp;
  let url: string;
  beforeAll(async () => {
    test = await createTestApp();
    await test.app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(test.app.getHttpServer().address() as AddressInfo).port}`;
  });
  afterAll(() => test?.close());

  /** People with a single chat, and a group that counts as large when it should. */
  async function begin({ large }: { large: boolean }): Promise<Scene> {
    const ids = newUserIds(PEOPLE);
    const people = await meet(test.api, ...ids);
    const make = async (body: object): Promise<number> =>
      (await people[0]?.post('/api/messages/conversations', body))?.body.data.id as number;
    const group = await make({ type: 'group', name: 'G', member_ids: ids.slice(1) });
    if (large) await makeLarge(test, group);
    const conversations = [group, await make({ type: 'single', peer_id: ids[1] })];
    return { clock: test.clock, ids, people, conversations };
  }

  const listOf = (user: ApiClient | undefined): Promise<Answer> => (user ?? test.api).get(LIST);
  const cursorOf = ({ headers }: Answer): number => Number(headers['x-event-cursor']);

  /** The list of a client that took this snapshot and then these events. */
  function listAfter(snapshot: Answer, events: AnyEvent[] = []): unknown[] {
    const terminal = new ConversationTerminal(snapshot);
    for (const event of events) terminal.apply(event);
    return terminal.list;
  }

  /** Plays the batches, the steps of each at the same time, and `meanwhile` beside the one that `start` names. */
  async function playAll(scene: Scene, all: Step[][], start: number, meanwhile: () => Promise<unknown>) {
    for (const [index, batch] of all.entries()) {
      const isStart = index === Math.min(start, all.length - 1);
      await Promise.all([...(isStart ? [meanwhile()] : []), ...batch.map((step) => play(step, scene))]);
    }
  }

  it('equal a fresh one, for who polls', async () => {
    await fc.assert(
      fc.asyncProperty(batches, fc.nat({ max: 6 }), async (all, start) => {
        const scene = await begin({ large: false });
        let snapshots: Answer[] = [];
        await playAll(scene, all, start, async () => {
          snapshots = await Promise.all(scene.people.map(listOf));
        });
        for (const [index, snapshot] of snapshots.entries()) {
          const user = scene.people[index] as ApiClient;
          const poll = await user.get(`/api/events/poll?after=${cursorOf(snapshot)}&limit=500`);
          expect(listAfter(snapshot, poll.body.data.items)).toEqual(listAfter(await listOf(user)));
        }
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });

  it('equal a fresh one, for who listens, also with a large group', async () => {
    await fc.assert(
      fc.asyncProperty(batches, fc.nat({ max: 6 }), async (all, start) => {
        const scene = await begin({ large: true });
        const listeners: { reader: EventReader; snapshot: Answer }[] = [];
        await playAll(scene, all, start, async () => {
          for (const [index, userId] of scene.ids.entries()) {
            // The stream first: what a large group says has no cursor.
            const reader = await EventReader.open(url, { userId });
            listeners.push({ reader, snapshot: await listOf(scene.people[index]) });
          }
        });
        for (const [index, { reader, snapshot }] of listeners.entries()) {
          const fresh = listAfter(await listOf(scene.people[index]));
          const told = await eventually(
            async () => listAfter(snapshot, eventsAfter(reader.frames, cursorOf(snapshot))),
            (list) => isDeepStrictEqual(list, fresh),
          );
          reader.close();
          expect(told).toEqual(fresh);
        }
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });
});

/** What the snapshot does not hold already: it holds the frames up to its cursor, and those without an id before. */
function eventsAfter(frames: Frame[], cursor: number): AnyEvent[] {
  const last = frames.findLastIndex(({ id }) => id !== undefined && Number(id) <= cursor);
  return frames.slice(last + 1).map(({ data }) => data);
}
