import { loadConfig } from '../../src/config/config';
import { createApp } from '../../src/create-app';
import { ApiClient } from '../support/api-client';
import { testEnvironment } from '../support/environment';
import { createUsers } from '../support/calls';
import { ChatUser, dataOf } from '../support/messaging';
import { createMigratedDatabase } from '../support/migrated-database';
import { eventually } from '../support/service-process';
import { createTestApp, type TestApp } from '../support/test-app';
import { type Endpoint, Receiver, subscribe, WEBHOOKS } from '../support/webhooks';

const SPAN = '00f067aa0ba902b7';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
/** A `traceparent` with another trace for each number. */
const traceparent = (number: number): string => `00-${String(number).padStart(32, 'a')}-${SPAN}-01`;

describe('A request with a traceparent', () => {
  let test: TestApp;
  let admin: ApiClient;
  let receiver: Receiver;
  let endpoint: Endpoint;
  beforeAll(async () => {
    test = await createTestApp({ env: WEBHOOKS });
    admin = await test.api.as({ id: 900_001, role: 'admin' });
    receiver = await Receiver.open();
    endpoint = await subscribe(admin, { url: receiver.url, event_types: ['*'] });
  });
  afterAll(async () => {
    await test?.close();
    await receiver?.close();
  });

  /** Returns the header `traceparent` of the first delivery of an event, once it has been received. */
  const delivered = async (type: string, matches: (data: Record<string, unknown>) => boolean) => {
    const find = () => receiver.events.findIndex((event) => event.type === type && matches(event.data));
    await eventually(
      async () => find(),
      (index) => index >= 0,
    );
    return receiver.received[find()]?.headers.traceparent;
  };

  /** Places a call with a `traceparent`. Returns that of the delivery of `call.created`. */
  const place = async ([callerId = 0, calleeId = 0]: number[], traceparent: string) => {
    const [caller] = await createUsers(test.api, callerId, calleeId);
    const placed = await caller?.with({ traceparent }).post('/api/calls', { callee_id: calleeId });
    const id = placed?.body.data.call_id as number;
    return delivered('call.created', ({ call }) => (call as { call_id: number }).call_id === id);
  };

  it('passes its trace to the webhooks of its events, with a new span', async () => {
    const header = await place([1, 2], `00-${TRACE}-${SPAN}-00`);
    expect(header).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
    expect(header).not.toContain(SPAN);
  });

  it('keeps its trace apart from those of requests that share its transaction', async () => {
    const [ann] = (await ChatUser.signInAll(test.api, [11, 12])) as [ChatUser, ChatUser];
    const path = `/api/messages/conversations/${await ann.openSingle(12)}/messages`;
    const send = (number: number) =>
      ann.api.with({ traceparent: traceparent(number) }).post(path, { type: 'text', content: 'hello' });
    const sent = await Promise.all([1, 2, 3, 4].map(send));
    for (const [index, response] of sent.entries()) {
      const { id } = dataOf(response);
      const header = await delivered('message.created', (data) => data.message_id === id);
      expect(header?.slice(3, 35)).toBe(traceparent(index + 1).slice(3, 35));
    }
  });

  it('passes its trace to a test of a webhook', async () => {
    const traced = admin.with({ traceparent: `00-${TRACE}-${SPAN}-01` });
    dataOf(await traced.post(`/api/admin/webhooks/${endpoint.id}/test`));
    expect(await delivered('webhook.test', () => true)).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
  });

  it('is accepted if the traceparent is invalid, and its webhooks have none', async () => {
    expect(await place([21, 22], '00-1-2-3')).toBeUndefined();
  });

  it('has its trace id in its log lines', async () => {
    const lines: string[] = [];
    const database = await createMigratedDatabase();
    const config = loadConfig(testEnvironment(database.url, { LOG_LEVEL: 'debug' }));
    const app = await createApp(config, { logTo: { write: (line) => lines.push(line) } });
    const headers = { 'x-request-id': 'traced', traceparent: `00-${TRACE}-${SPAN}-01` };
    await new ApiClient(app, headers).get('/health/live');
    await new ApiClient(app, { 'x-request-id': 'untraced' }).get('/health/live');
    await app.close();
    await database.drop();
    const logged = lines.map(
      (line) => JSON.parse(line) as { reqId?: string; trace_id?: string; msg: string },
    );
    const traceOf = (id: string) =>
      logged.filter(({ reqId, msg }) => reqId === id && msg === 'request').map(({ trace_id }) => trace_id);
    expect(traceOf('traced')).toEqual([TRACE]);
    expect(traceOf('untraced')).toEqual([undefined]);
  });
});
