import type { Callboard } from '../callboard.js';
import { CallboardError } from '../errors.js';

const CONFIG = 'getPushConfig GET /api/push/config';
const REGISTER = 'registerPushTarget POST /api/push/targets';
const LIST = 'listPushTargets GET /api/push/targets';
const DELETE = 'deletePushTarget DELETE /api/push/targets/{id}';

/** The part of the browser's `PushSubscription` that is used: programs without the types of a browser compile against it. */
interface Subscription {
  readonly options: { readonly applicationServerKey: ArrayBuffer | null };
  toJSON(): { endpoint?: string; keys?: Record<string, string> };
  unsubscribe(): Promise<boolean>;
}

/** The part of the browser's `PushManager` that is used. */
interface SubscriptionManager {
  getSubscription(): Promise<Subscription | null>;
  subscribe(options: { userVisibleOnly: boolean; applicationServerKey: string }): Promise<Subscription>;
}

export interface WebPushOptions {
  /** The `ServiceWorkerRegistration` of the service worker that shows the pushes. */
  registration: { readonly pushManager: SubscriptionManager };
  /** Names this browser, the same at each visit; at most 64 characters. */
  terminalId: string;
}

interface PushConfig {
  kinds: readonly string[];
  vapid_public_key: string | null;
}

interface PushTarget {
  id: number;
  kind: string;
  terminal_id: string;
}

/**
 * Subscribes this browser to the pushes of the signed-in user, or renews the subscription. Call it at each start of the page
 * when `Notification.permission` is `granted`: the service then takes over the session and a changed subscription.
 * @returns false if the service sends no Web Push
 * @throws {CallboardError} `network` if the browser's push service does not answer
 */
export async function subscribeToWebPush(
  callboard: Callboard,
  { registration: { pushManager }, terminalId }: WebPushOptions,
): Promise<boolean> {
  const { data: config } = await callboard.transport.send<PushConfig>(CONFIG);
  const { kinds, vapid_public_key: key } = config;
  if (!kinds.includes('webpush') || key === null) return false;
  const subscription = await subscribe(pushManager, key).catch((cause: unknown) => {
    throw new CallboardError('network', undefined, { cause });
  });
  const { endpoint, keys = {} } = subscription.toJSON();
  await callboard.transport.send(REGISTER, {
    body: { kind: 'webpush', terminal_id: terminalId, endpoint, p256dh: keys['p256dh'], auth: keys['auth'] },
  });
  return true;
}

/**
 * Ends the subscription of this browser, and deletes its target. Call it before a log-out (`session.beforeLogOut`) and when
 * the user switches notifications off. Does nothing in a browser that is not subscribed.
 */
export async function unsubscribeFromWebPush(
  callboard: Callboard,
  { registration: { pushManager }, terminalId }: WebPushOptions,
): Promise<void> {
  const subscription = await pushManager.getSubscription();
  if (subscription === null) return;
  // First: if the request fails, the push service removes the target with the next push.
  await subscription.unsubscribe();
  const { data } = await callboard.transport.send<{ items: PushTarget[] }>(LIST);
  const target = data.items.find(({ kind, terminal_id: id }) => kind === 'webpush' && id === terminalId);
  if (target !== undefined) await callboard.transport.send(DELETE, { path: { id: target.id } });
}

/** Returns the subscription with the service's key. One with another key is replaced: the service cannot use it. */
async function subscribe(pushManager: SubscriptionManager, key: string): Promise<Subscription> {
  const existing = await pushManager.getSubscription();
  if (existing !== null) {
    if (toBase64Url(existing.options.applicationServerKey) === key) return existing;
    await existing.unsubscribe();
  }
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

function toBase64Url(bytes: ArrayBuffer | null): string | undefined {
  if (bytes === null) return undefined;
  const text = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
