import { ActReader, type RoutedAct } from '../support/acts';
import { aCall, newUserIds } from '../support/calls';
import { Chatter } from '../support/messaging';
import { createTestApp, type TestApp } from '../support/test-app';

const ROUNDS = 10;

/** Two instances on one database, each with somebody who wants everything. */
describe('Acts on two instances', () => {
  let one: TestApp;
  let two: TestApp;
  let readers: ActReader[];
  beforeAll(async () => {
    one = await createTestApp();
    two = await createTestApp({ database: one.database, clock: one.clock });
    readers = [await ActReader.open(one), await ActReader.open(two)];
  });
  afterAll(async () => {
    await two?.close();
    await one?.close();
  });

  const all = async (): Promise<RoutedAct[]> => {
    const routed: RoutedAct[] = [];
    for (const reader of readers) routed.push(...(await reader.all()));
    return routed;
  };
  const tally = (acts: RoutedAct[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const { type, subject } of acts)
      counts[`${type} ${subject}`] = (counts[`${type} ${subject}`] ?? 0) + 1;
    return counts;
  };

  it('are each routed once, by one of them, also of people whom nobody has seen before', async () => {
    const expected: Record<string, number> = {};
    for (let round = 0; round < ROUNDS; round += 1) {
      const ids = newUserIds(4);
      const [, ben = 0] = ids;
      const met = await Promise.all(
        ids.flatMap((id) => [Chatter.meet(one.api, id), Chatter.meet(two.api, id)]),
      );
      for (const id of ids) expected[`user.created user:${id}`] = 1;
      const [here, there] = met as [Chatter, Chatter];
      const [chat] = await Promise.all([here.openSingle(ben), there.openSingle(ben)]);
      expected[`conversation.created conversation:${chat}`] = 1;
      const sent = await Promise.all(
        met.slice(0, 4).map((who) => who.send(chat, 'hello', { client_msg_id: `${who.id}` })),
      );
      for (const id of new Set(sent.map((message) => message.id)))
        expected[`message.created message:${id}`] = 1;
      const call = await aCall((round % 2 ? one : two).api, 'accepted');
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
