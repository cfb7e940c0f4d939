import { DomainEventReader, type DispatchedEvent } from '../support/domain-events';
import { createCall, newUserIds } from '../support/calls';
import { ChatUser } from '../support/messaging';
import { createTestApp, type TestApp } from '../support/test-app';

const ROUNDS = 10;

/** Two instances on one database, each with a consumer of all types. */
describe('Domain events on two instances', () => {
  let one: TestApp;
  let two: TestApp;
  let readers: DomainEventReader[];
  beforeAll(async () => {
    one = await createTestApp();
    two = await createTestApp({ database: one.database, clock: one.clock });
    readers = [await DomainEventReader.open(one), await DomainEventReader.open(two)];
  });
  afterAll(async () => {
    await two?.close();
    await one?.close();
  });

  const all = async (): Promise<DispatchedEvent[]> => {
    const routed: DispatchedEvent[] = [];
    for (const reader of readers) routed.push(...(await reader.all()));
    return routed;
  };
  const tally = (events: DispatchedEvent[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const { type, subject } of events)
      counts[`${type} ${subject}`] = (counts[`${type} ${subject}`] ?? 0) + 1;
    return counts;
  };

  it('are dispatched once by one of them, also for new users', async () => {
    const expected: Record<string, number> = {};
    for (let round = 0; round < ROUNDS; round += 1) {
      const ids = newUserIds(4);
      const [, ben = 0] = ids;
      const met = await Promise.all(
        ids.flatMap((id) => [ChatUser.signIn(one.api, id), ChatUser.signIn(two.api, id)]),
      );
      for (const id of ids) expected[`user.created user:${id}`] = 1;
      const [here, there] = met as [ChatUser, ChatUser];
      const [chat] = await Promise.all([here.openSingle(ben), there.openSingle(ben)]);
      expected[`conversation.created conversation:${chat}`] = 1;
      const sent = await Promise.all(
        met.slice(0, 4).map((who) => who.send(chat, 'hello', { client_msg_id: `${who.id}` })),
      );
      for (const id of new Set(sent.map((message) => message.id)))
        expected[`message.created message:${id}`] = 1;
      const call = await createCall((round % 2 ? one : two).api, 'accepted');
      for (const id of [call.callerId, call.calleeId, call.callerId + 2])
        expected[`user.created user:${id}`] = 1;
      const path = `/api/calls/${call.id}/hangup`;
      await Promise.all([
        call.caller.post(path),
        (await one.api.as({ id: call.calleeId })).post(path),
        (await two.api.as({ id: call.calleeId })).post(path),
      ]);
      for (const type of ['created', 'answered', 'ended']) expected[`call.${type} call:${call.id}`] = 1;
    }
    const routed = await all();
    expect(tally(routed)).toEqual(expected);
    expect(new Set(routed.map(({ eventId }) => eventId)).size).toBe(routed.length);
  });
});
