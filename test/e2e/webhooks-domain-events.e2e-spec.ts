import { createFixture } from '../support/role-fixture';
import { dataOf } from '../support/messaging';
import { eventually } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';
import { Receiver, subscribe, verified, WEBHOOKS } from '../support/webhooks';

describe('Domain events of user actions', () => {
  let test: TestApp;
  let receiver: Receiver;
  beforeAll(async () => {
    test = await createTestApp({ env: WEBHOOKS });
    receiver = await Receiver.open();
  });
  afterAll(async () => {
    await test?.close();
    await receiver?.close();
  });

  it('are delivered once to a subscribed webhook, without message content', async () => {
    const admin = await test.api.as({ id: 900_001, role: 'admin' });
    const { id, secret } = await subscribe(admin, { url: receiver.url, event_types: ['*'] });
    const { call, conversation, message, clients: as } = await createFixture(test.api, 'ended');
    dataOf(await as.user.post(`/api/messages/${message}/recall`));
    const counts = (): Record<string, number> => {
      const byType = Map.groupBy(receiver.events, ({ type }) => type);
      return Object.fromEntries([...byType].map(([type, events]) => [type, events.length]));
    };
    await eventually(
      () => Promise.resolve(receiver.events.length),
      (received) => received >= 15,
    );
    expect(counts()).toEqual({
      'call.answered': 1,
      'call.created': 1,
      'call.ended': 1,
      'conversation.created': 1,
      'device.created': 1,
      'message.created': 1,
      'message.recalled': 1,
      'notification.sent': 2,
      'user.created': 6,
    });
    for (const received of receiver.received) verified(received, secret);
    const of = (type: string): unknown[] =>
      receiver.events.filter((event) => event.type === type).map(({ data }) => data);
    expect(of('call.ended')).toMatchObject([{ call: { call_id: call, status: 'ended', missed: false } }]);
    expect(of('message.created')).toEqual([
      {
        message_id: message,
        conversation_id: conversation,
        sender_id: expect.any(Number),
        message_type: 'text',
      },
    ]);
    // Several are in transit concurrently, in any order.
    const sent = [
      { announcement_id: null, audience: 'users', notification_type: 'news', created: 1 },
      { announcement_id: 1, audience: 'users', notification_type: 'news', created: 2 },
    ];
    expect(of('notification.sent')).toEqual(expect.arrayContaining(sent));
    expect(new Set(receiver.eventIds).size).toBe(receiver.received.length);
    expect(dataOf(await admin.get(`/api/admin/webhooks/${id}/deliveries?status=failed`)).items).toEqual([]);
  });
});
