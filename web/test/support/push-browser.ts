import type { BrowserContext, CDPSession, Page, Worker } from '@playwright/test';
import type { PushProviders, PushRequest } from '../../../test/support/push-providers';
import { expect } from './journey';
import type { Person, Stage } from './stage';

/** A notification that the service worker shows. */
export interface ShownNotification {
  title: string;
  body: string;
  actions: string[];
}

/** Records of the service worker, for the test. */
interface Recorded {
  shown: FakeNotification[];
  opened: string[];
  badges: number[];
}

interface FakeNotification {
  title: string;
  body: string;
  tag: string;
  data: unknown;
  actions: { title: string }[];
  close(): void;
}

/** The global object of the service worker, whose types exclude those of pages. */
interface WorkerGlobal {
  recorded: Recorded;
  registration: { showNotification(title: string, options: object): Promise<void> };
  clients: object;
  WindowClient: { prototype: object };
}

/**
 * A browser that is subscribed to the pushes of its user. Headless browsers have no push service and no notifications: the service
 * sends to a local push service, the test delivers the payloads to the service worker with the DevTools protocol, and
 * records what the worker shows.
 */
export class PushBrowser {
  #delivered = 0;

  private constructor(
    readonly page: Page,
    readonly worker: Worker,
    private readonly sent: () => PushRequest[],
    private readonly devtools: { session: CDPSession; registrationId: string },
  ) {}

  /** Opens the client at `path` with the permission for notifications, and waits until it is subscribed. */
  static async open(
    stage: Stage,
    providers: PushProviders,
    person: Person,
    path = '/contacts',
    mayLogErrors?: RegExp,
  ): Promise<PushBrowser> {
    const page = await stage.emptyTab(person, { mayLogErrors });
    const context = page.context();
    await subscribeTo(context, providers.subscribe(person.account));
    await page.goto(path);
    await expect.poll(async () => (await targetsOf(stage, person)).length).toBe(1);
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    await record(worker);
    // Outlives the page.
    const session = await context.newCDPSession(await context.newPage());
    const registrationId = await new Promise<string>((resolve) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [registration] }) => {
        if (registration !== undefined) resolve(registration.registrationId);
      });
      void session.send('ServiceWorker.enable');
    });
    const sent = (): PushRequest[] =>
      providers.webPush.filter((request) => request.path === `/web/${person.account}`);
    return new PushBrowser(page, worker, sent, { session, registrationId });
  }

  /** Waits for the next push of the service, and delivers it. Returns its type. */
  async deliver(): Promise<string> {
    await expect.poll(() => this.sent().length).toBeGreaterThan(this.#delivered);
    const body = this.sent()[this.#delivered]?.body ?? {};
    this.#delivered += 1;
    const { session, registrationId } = this.devtools;
    const origin = new URL(this.worker.url()).origin;
    await session.send('ServiceWorker.deliverPushMessage', {
      origin,
      registrationId,
      data: JSON.stringify(body),
    });
    return (body['callboard'] as { type: string }).type;
  }

  /** Returns the notifications that are shown. */
  shown = (): Promise<ShownNotification[]> =>
    this.worker.evaluate(() =>
      (globalThis as unknown as WorkerGlobal).recorded.shown.map(({ title, body, actions }) => ({
        title,
        body,
        actions: actions.map((action) => action.title),
      })),
    );

  /** Shows a notification as the page does while it is in the background. */
  show = (title: string, data: object): Promise<void> =>
    this.worker.evaluate(
      ([name, content]) =>
        (globalThis as unknown as WorkerGlobal).registration.showNotification(name, { data: content }),
      [title, data] as const,
    );

  /** Clicks on the only notification, or on one of its buttons. */
  click = (action = ''): Promise<void> =>
    this.worker.evaluate(async (name) => {
      const [notification] = (globalThis as unknown as WorkerGlobal).recorded.shown;
      await new Promise((resolve) => {
        const click = { notification, action: name, waitUntil: resolve };
        dispatchEvent(Object.assign(new Event('notificationclick'), click));
      });
    }, action);

  /** Returns the paths that the worker has opened in a new window, and the numbers that it has shown at the icon. */
  recorded = (): Promise<Pick<Recorded, 'opened' | 'badges'>> =>
    this.worker.evaluate(() => {
      const { opened, badges } = (globalThis as unknown as WorkerGlobal).recorded;
      return { opened, badges };
    });
}

export const targetsOf = async (stage: Stage, { id }: Person): Promise<{ kind: string; id: number }[]> =>
  (await stage.requestAsAdmin('GET', `/api/admin/users/${id}/push-targets`)).items;

/** Replaces the permission and the push service of the browser: a headless one has neither notifications nor push. */
const subscribeTo = (
  context: BrowserContext,
  { endpoint, ...keys }: { endpoint: string; p256dh: string; auth: string },
): Promise<unknown> =>
  context.addInitScript(
    (data) => {
      const STORED = 'test.subscribed';
      const subscription = {
        options: { applicationServerKey: null },
        toJSON: () => data,
        unsubscribe: async () => {
          localStorage.removeItem(STORED);
          return true;
        },
      };
      Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
      Object.assign(PushManager.prototype, {
        getSubscription: async () => (localStorage.getItem(STORED) === null ? null : subscription),
        subscribe: async () => {
          localStorage.setItem(STORED, '1');
          return subscription;
        },
      });
    },
    { endpoint, keys },
  );

/** Replaces the notifications of the worker, and the functions that browsers allow only after a click. */
const record = (worker: Worker): Promise<void> =>
  worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerGlobal;
    const recorded: Recorded = { shown: [], opened: [], badges: [] };
    scope.recorded = recorded;
    const remove = (removed: (notification: FakeNotification) => boolean): void => {
      recorded.shown = recorded.shown.filter((notification) => !removed(notification));
    };
    Object.assign(scope.registration, {
      showNotification: async (title: string, { tag = '', ...options }: Partial<FakeNotification>) => {
        if (tag !== '') remove((other) => other.tag === tag);
        const notification: FakeNotification = {
          body: '',
          data: null,
          actions: [],
          ...options,
          title,
          tag,
          close: () => remove((other) => other === notification),
        };
        recorded.shown.push(notification);
      },
      getNotifications: async ({ tag }: { tag?: string } = {}) =>
        recorded.shown.filter((notification) => tag === undefined || notification.tag === tag),
    });
    Object.assign(scope.clients, {
      openWindow: async (path: string) => {
        recorded.opened.push(path);
        return null;
      },
    });
    Object.assign(scope.WindowClient.prototype, {
      focus(this: unknown) {
        return Promise.resolve(this);
      },
    });
    Object.defineProperty(navigator, 'setAppBadge', {
      value: async (count: number) => void recorded.badges.push(count),
    });
  });
