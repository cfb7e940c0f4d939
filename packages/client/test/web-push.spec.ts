import { Callboard, subscribeToWebPush, unsubscribeFromWebPush } from '../src/index.js';
import { ScriptedFetch, success } from './support/scripted-fetch.js';

const KEY = 'AQID_v8';
const CONFIG = { kinds: ['webpush'], vapid_public_key: KEY, content: 'names' };

/** A push manager with or without a subscription, which was made with a key. */
function pushManagerWith(key?: readonly number[]) {
  const calls: unknown[] = [];
  const subscription = (bytes: readonly number[]) => ({
    options: { applicationServerKey: Uint8Array.from(bytes).buffer },
    toJSON: () => ({ endpoint: 'https://push.example/1', keys: { p256dh: 'P', auth: 'A' } }),
    unsubscribe: async () => void calls.push('unsubscribe'),
  });
  const manager = {
    getSubscription: async () => (key === undefined ? null : subscription(key)),
    subscribe: async (options: unknown) => {
      calls.push(options);
      return subscription([1, 2, 3, 254, 255]);
    },
  };
  return { calls, registration: { pushManager: manager as unknown as PushManager } };
}

describe('subscribeToWebPush', () => {
  const subscribe = async (config: object, registration: { pushManager: PushManager }) => {
    const network = new ScriptedFetch(
      () => success(config),
      () => success({ id: 1 }),
    );
    const client = new Callboard({
      baseUrl: 'http://service.test',
      fetch: network.fetch,
      token: () => 'token',
    });
    const isSubscribed = await subscribeToWebPush(client, { registration, terminalId: 'browser-1' });
    return { isSubscribed, network };
  };
  const asked = { userVisibleOnly: true, applicationServerKey: KEY };

  it.each([
    ['subscribes a new browser', undefined, [asked]],
    ['keeps a subscription with the service’s key', [1, 2, 3, 254, 255], []],
    ['replaces a subscription with another key', [9], ['unsubscribe', asked]],
  ])('%s, and registers it', async (_what, key, expected) => {
    const { calls, registration } = pushManagerWith(key);
    const { isSubscribed, network } = await subscribe(CONFIG, registration);
    expect([isSubscribed, calls]).toEqual([true, expected]);
    expect(network.requests[1]?.body).toEqual({
      kind: 'webpush',
      terminal_id: 'browser-1',
      endpoint: 'https://push.example/1',
      p256dh: 'P',
      auth: 'A',
    });
  });

  it('returns false when the service sends no Web Push', async () => {
    const { calls, registration } = pushManagerWith();
    const { isSubscribed, network } = await subscribe({ ...CONFIG, kinds: ['apns'] }, registration);
    expect([isSubscribed, calls, network.requests.length]).toEqual([false, [], 1]);
  });
});

describe('unsubscribeFromWebPush', () => {
  const unsubscribe = async (registration: { pushManager: PushManager }) => {
    const network = new ScriptedFetch(
      () =>
        success({
          items: [
            { id: 1, kind: 'webpush', terminal_id: 'browser-2' },
            { id: 2, kind: 'fcm', terminal_id: 'browser-1' },
            { id: 3, kind: 'webpush', terminal_id: 'browser-1' },
          ],
        }),
      () => success(null),
    );
    const client = new Callboard({
      baseUrl: 'http://service.test',
      fetch: network.fetch,
      token: () => 'token',
    });
    await unsubscribeFromWebPush(client, { registration, terminalId: 'browser-1' });
    return network.requests.map(({ name }) => name);
  };

  it('ends the subscription, and deletes the target of this browser', async () => {
    const { calls, registration } = pushManagerWith([1]);
    expect(await unsubscribe(registration)).toEqual(['GET /api/push/targets', 'DELETE /api/push/targets/3']);
    expect(calls).toEqual(['unsubscribe']);
  });

  it('sends no request from a browser that is not subscribed', async () => {
    expect(await unsubscribe(pushManagerWith().registration)).toEqual([]);
  });
});
