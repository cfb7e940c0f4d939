import type { AddressInfo } from 'node:net';
import type { EventStream } from '../../src/events/live/event-stream';
import { StreamRegistry } from '../../src/events/live/stream-registry';
import { EventLog } from '../../src/events/log/event-log';
import { EventRetention } from '../../src/events/log/retention';
import { newUserIds } from '../support/calls';
import { EventReader } from '../support/event-reader';
import { writeTestEvents } from '../support/test-events';
import { ChatUser, switchToLargeGroup } from '../support/messaging';
import { eventually } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';

const THREE_HOURS = 3 * 3_600;

describe('An event stream behind the retention period', () => {
  let test: TestApp;
  let url: string;
  let userId: number;
  const readers: EventReader[] = [];

  beforeAll(async () => {
    test = await createTestApp({ env: { EVENT_RETENTION_HOURS: '2' } });
    await test.app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(test.app.getHttpServer().address() as AddressInfo).port}`;
  });
  afterAll(() => test?.close());
  beforeEach(() => {
    [userId = 0] = newUserIds(1);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    for (const reader of readers.splice(0)) reader.close();
  });

  const append = (...types: string[]): Promise<void> =>
    writeTestEvents(
      test,
      types.map((type) => ({ userId, type, payload: {} })),
    );
  /** Opens a stream and waits for its first read. */
  const listen = async (id = userId): Promise<EventReader> => {
    const reader = await EventReader.open(url, { userId: id });
    readers.push(reader);
    const opened = async (): Promise<EventStream[]> => test.app.get(StreamRegistry).streamsOf(id);
    await eventually(opened, (streams) => streams.every(({ keepsUp }) => keepsUp));
    return reader;
  };
  /** Runs `meanwhile` while streams cannot read events, as with a slow database. */
  const unread = async (meanwhile: () => Promise<void>): Promise<void> => {
    const log = test.app.get(EventLog);
    const read = log.read.bind(log);
    const gate = Promise.withResolvers<void>();
    jest.spyOn(log, 'read').mockImplementation(async (...args) => {
      await gate.promise;
      return read(...args);
    });
    await meanwhile();
    gate.resolve();
  };
  /** Trims all events that were written so far, after the retention period. */
  const outlive = async (): Promise<void> => {
    test.clock.advance(THREE_HOURS);
    await test.app.get(EventRetention).trim();
  };

  it('receives a resync with the newest cursor, and continues', async () => {
    const reader = await listen();
    await unread(async () => {
      await append('old', 'old');
      await outlive();
      await append('kept');
    });
    await reader.atLeast(1);
    expect(reader.frames).toMatchObject([{ id: '3', event: 'resync', data: { type: 'resync' } }]);
    await append('new');
    await reader.atLeast(2);
    expect(reader.frames.slice(1)).toMatchObject([{ id: '4', event: 'new' }]);
  });

  it('receives a resync also when all unread events were deleted', async () => {
    const reader = await listen();
    await unread(async () => {
      // More events than one read returns.
      await append(...Array.from({ length: 150 }, () => 'old'));
      await outlive();
    });
    await reader.atLeast(1);
    await append('new');
    await reader.atLeast(2);
    expect(reader.frames).toMatchObject([
      { id: '150', event: 'resync' },
      { id: '151', event: 'new' },
    ]);
  });

  it('receives the events before a gap first', async () => {
    await append('a');
    const reader = await listen();
    await unread(async () => {
      await append('b', 'c', 'd');
      // Clocks of instances differ, so an event may be trimmed before the one in front of it.
      await test.query(`DELETE FROM events WHERE user_id = ${userId} AND seq = 3`);
    });
    await reader.atLeast(2);
    expect(reader.frames).toMatchObject([
      { id: '2', event: 'b' },
      { id: '4', event: 'resync' },
    ]);
  });

  it('receives one resync, and none without a gap', async () => {
    const [lagging, other] = [await listen(), await listen()];
    await append('a');
    await Promise.all([lagging.atLeast(1), other.atLeast(1)]);
    await test.app.get(StreamRegistry).poll();
    await append('b');
    await Promise.all([lagging.atLeast(2), other.atLeast(2)]);
    await outlive();
    await test.app.get(StreamRegistry).poll();
    await append('c');
    await Promise.all([lagging.atLeast(3), other.atLeast(3)]);
    expect([lagging.types, other.types]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
  });

  it('receives a resync for events of a large group too, and then new ones', async () => {
    const [ann, ben] = (await ChatUser.signInAll(test.api, newUserIds(2))) as [ChatUser, ChatUser];
    const group = await ann.createGroup([ben.id]);
    await switchToLargeGroup(test, group);
    const reader = await listen(ben.id);
    await ann.send(group, 'heard');
    await reader.atLeast(1);
    await unread(async () => {
      for (let count = 0; count < 25; count += 1) await ann.send(group, 'missed');
      await outlive();
    });
    await reader.until(() => reader.types.includes('resync'));
    await ann.send(group, 'after');
    await reader.until(() => reader.types.at(-1) === 'message.created' && reader.frames.length >= 3);
    expect(reader.frames).toMatchObject([
      { event: 'message.created', data: { message: { content: 'heard' } } },
      { id: '1', event: 'resync' },
      { event: 'message.created', data: { message: { content: 'after' } } },
    ]);
  });
});
